import type { Environment } from "./settings.ts"

/**
 * The variables of this process, with those of the file `.env` in the working directory, where there is one: what is set in the
 * environment wins. Throws with a sentence where the file is there and cannot be read.
 */
export const readEnvironment = (): Environment => {
  try {
    process.loadEnvFile()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== "ENOENT") throw new Error(`The file .env cannot be read: ${message}`, { cause: error })
  }
  return process.env
}
