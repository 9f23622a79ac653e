import { createRequire } from "node:module"
import type * as Re2 from "re2js"

/** The library. Loaded with the first pattern: until then it takes no memory. */
export const re2 = createRequire(import.meta.url).bind(null, "re2js") as () => typeof Re2

/** Compiles patterns to match together, in states of at most so many bytes. The match answers the places of those that it finds. */
export const compileSet = (patterns: ReadonlyArray<string>, bytes: number): ((text: string) => Array<number>) => {
  const { RE2JS, RE2Set } = re2()
  const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE, bytes)
  for (const pattern of patterns) set.add(pattern)
  set.compile()
  return (text) => set.match(text)
}
