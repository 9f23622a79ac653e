import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"

/** The blocks of shell commands of a page of `docs/`, in their order. */
const readCommands = (name: string): ReadonlyArray<string> => {
  const page = readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8")
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block)
}

/** Where the commands of a page are run. */
export interface PageRun {
  /** The working directory, where they leave their files. */
  readonly folder: string
  /** Values of the page's variables: in place of its own line `name=…`, else before its first command. */
  readonly variables: Readonly<Record<string, string>>
}

/**
 * Runs the shell commands of a page as they are written, in one shell, and answers what they print. Rejects where one of them
 * fails. `answer` reads the JSON of a file that they have left.
 */
export const runPage = async (name: string, { folder, variables }: PageRun) => {
  const own = readCommands(name).join("\n")
  const script = Object.entries(variables).reduce((text, [variable, value]) => {
    const line = new RegExp(`^${variable}=.*$`, "m")
    const assignment = `${variable}='${value}'`
    return line.test(text) ? text.replace(line, () => assignment) : `${assignment}\n${text}`
  }, own)
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: folder })
  return { stdout, answer: (file: string) => JSON.parse(readFileSync(`${folder}/${file}.json`, "utf8")).data }
}
