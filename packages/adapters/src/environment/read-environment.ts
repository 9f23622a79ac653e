import { readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import type { Environment } from "./settings.ts"

/** Reads the file `.env` in the working directory. */
const readFile = (): string => readFileSync(".env", "utf8")

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not read it, or not enter the folder",
  EISDIR: "it is a folder",
}

/** The text of the file, without the byte order mark that some editors write; nothing where there is no file. */
const readText = (read: () => string): string => {
  try {
    return read().replace(/^\uFEFF/, "")
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException
    if (code === "ENOENT") return ""
    throw new Error(`The file .env cannot be read: ${reasons[code] ?? message}.`, { cause: error })
  }
}

/**
 * The variables of this process, with those of the file `.env` in the working directory, where there is one: what is set in the
 * environment wins. Throws with a sentence where the file is there and cannot be read.
 */
export const readEnvironment = (read = readFile, environment: NodeJS.ProcessEnv = process.env): Environment => {
  // Libraries read some of them by themselves, so they are set for the process.
  for (const [name, value] of Object.entries(parseEnv(readText(read)))) environment[name] ??= value
  return environment
}
