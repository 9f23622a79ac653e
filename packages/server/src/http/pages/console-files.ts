import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

const home = dirname(createRequire(import.meta.url).resolve("@hearth/console/package.json"))

/** The built console: `index.html` and `assets`, each file with `.br` and `.gz` beside it. */
export const consoleFolder = join(home, "dist")

// What it is made of, in a workspace. An installed package has what was built alone.
const sources = ["src", "build", "index.html", "vite.config.ts", "package.json", "../client/src"]

const changedAt = async (path: string): Promise<number> => {
  const found = await stat(path).catch(() => null)
  if (found === null) return 0
  if (!found.isDirectory()) return found.mtimeMs
  const inside = await readdir(path, { recursive: true })
  const times = await Promise.all(inside.map(async (name) => (await stat(join(path, name)).catch(() => found)).mtimeMs))
  return Math.max(found.mtimeMs, ...times)
}

/**
 * Builds the console where it was not built or has changed since. It takes seconds, in a process of its own. An installed package
 * has it built.
 */
export const ensureConsole = async (): Promise<void> => {
  if (!existsSync(join(home, "src"))) return
  const builtAt = await changedAt(join(consoleFolder, "index.html"))
  const times = await Promise.all(sources.map((source) => changedAt(join(home, source))))
  if (builtAt > Math.max(...times)) return
  await promisify(execFile)(process.execPath, [join(home, "build", "main.ts")], { cwd: home, timeout: 120_000 })
}
