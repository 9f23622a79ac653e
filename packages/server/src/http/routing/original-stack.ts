import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"

// A map takes a tenth of a second to read, and tens of megabytes: those of several errors share it, and then it goes.
const keptMillis = 10_000

const maps = new Map<string, SourceMap | null>()

const readMap = (file: string): SourceMap | null => {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), "utf8")))
  } catch {
    return null
  }
}

const findMap = (file: string): SourceMap | null => {
  const known = maps.get(file)
  if (known !== undefined) return known
  const read = readMap(file)
  maps.set(file, read)
  setTimeout(() => maps.delete(file), keptMillis).unref()
  return read
}

/** The stack of an error; where the service runs from its bundle, with the places in the sources that it was made of. */
export const originalStack = (stack: string): string =>
  stack.replace(/(file:[^\s()]+\/bundle\/[^\s()/]+\.mjs):(\d+):(\d+)/g, (place, file: string, line, column) => {
    const entry = findMap(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !("originalSource" in entry)) return place
    return `${new URL(entry.originalSource, file).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
