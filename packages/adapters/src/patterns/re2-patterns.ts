import { createRequire } from "node:module"
import { maxPatternSteps, type PatternGroup, type Patterns } from "@hearth/core/moderation"
import type * as Re2 from "re2js"

// Loaded with the first pattern: until then it takes no memory.
const re2 = createRequire(import.meta.url).bind(null, "re2js") as () => typeof Re2

// A pattern of more steps is matched by itself: it might make the states of those that it is joined with too many.
const maxJoinedSteps = 250
// How many bytes of states are kept of patterns that are joined, and of one that is not. Beyond it they are found anew, in linear time.
const [joinedBytes, singleBytes] = [4 * 2 ** 20, 2 ** 19]

const compileGroup = (places: ReadonlyArray<number>, patterns: ReadonlyArray<string>, bytes: number): PatternGroup => {
  const { RE2JS, RE2Set } = re2()
  const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE, bytes)
  for (const place of places) set.add(patterns[place] ?? "")
  set.compile()
  return { bytes, match: (text) => set.match(text).map((at) => places[at] ?? 0) }
}

/** How many steps a pattern compiles to, or what is wrong with it. */
type Size = number | string

const measure = (pattern: string): Size => {
  const { RE2JS, RE2JSException } = re2()
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).programSize()
  } catch (error) {
    if (error instanceof RE2JSException) return error.message
    throw error
  }
}

// Rules are read again at each change of one of them. To measure a large pattern takes some 2 ms.
const mostSizes = 5_000

const makeSizes = () => {
  const sizes = new Map<string, Size>()
  return (pattern: string): Size => {
    const size = sizes.get(pattern) ?? measure(pattern)
    sizes.delete(pattern)
    sizes.set(pattern, size)
    const [oldest] = sizes.keys()
    if (sizes.size > mostSizes && oldest !== undefined) sizes.delete(oldest)
    return size
  }
}

/** Regular expressions by re2js, a port of RE2. Small ones are matched together, in one pass over the text. */
const makeRe2Patterns = (): Patterns => {
  const sizeOf = makeSizes()
  return {
    findFault: (pattern) => {
      const size = sizeOf(pattern)
      if (typeof size === "string") return size
      return size <= maxPatternSteps ? null : `must compile to at most ${maxPatternSteps} steps, not ${size}`
    },
    *compile(patterns) {
      const places = [...patterns.keys()]
      const isLarge = places.map((place) => Number(sizeOf(patterns[place] ?? "")) > maxJoinedSteps)
      const small = places.filter((place) => !isLarge[place])
      if (small.length > 0) yield compileGroup(small, patterns, joinedBytes)
      for (const place of places) if (isLarge[place]) yield compileGroup([place], patterns, singleBytes)
    },
  }
}

export const re2Patterns = makeRe2Patterns()
