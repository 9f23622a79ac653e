import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Flushes the folder, so that a new name in it survives a power cut. Windows has no such call for folders. */
export const flushFolder = (folder: string): void => {
  if (process.platform === "win32") return
  const handle = openSync(folder, "r")
  fsyncSync(handle)
  closeSync(handle)
}

/** Writes a small file, readable by its owner only, completely or not at all. */
export const writeAtomically = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  flushFolder(dirname(file))
}
