import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

const root = join(import.meta.dirname, "../../../..")

/** The text of a file of the repository. */
export const readText = (path: string): string => readFileSync(join(root, path), "utf8")

/** The blocks of a language in the page about deploying. */
export const readBlocks = (language: string): ReadonlyArray<string> =>
  [...readText("docs/deploy.md").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, kind, text = ""]) =>
    kind === language ? [text] : [],
  )

/** Runs a tool; answers its exit code and all that it wrote, or null where it is not installed. */
export const runTool = (command: string, args: ReadonlyArray<string>) => {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", timeout: 20_000 })
  return error === undefined ? { status, text: `${stdout}${stderr}` } : null
}

/** Whether a tool is installed. Says what is skipped where it is not. */
export const hasTool = (command: string, args: ReadonlyArray<string>, what: string): boolean => {
  const isThere = runTool(command, args) !== null
  if (!isThere) console.log(`${command} is not installed: ${what} is not checked by it.`)
  return isThere
}

/** Makes files in a folder that is removed in the end. */
export const makeScratch = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-deploy-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
}
