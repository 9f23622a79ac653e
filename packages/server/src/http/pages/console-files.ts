import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

const home = dirname(createRequire(import.meta.url).resolve("@hearth/console/package.json"))
const builder = join(home, "build", "main.ts")

/** The built console: `index.html` and `assets`, each file with `.br` and `.gz` beside it. */
export const consoleFolder = join(home, "dist")

/**
 * Builds the console where it was not built or has changed since. It takes seconds, in a process of its own. An installed package
 * has it built.
 */
export const ensureConsole = async (): Promise<void> => {
  if (existsSync(builder)) await promisify(execFile)(process.execPath, [builder], { cwd: home, timeout: 120_000 })
}
