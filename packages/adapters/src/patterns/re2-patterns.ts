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

/** Regular expressions by re2js, a port of RE2. Small ones are matched together, in one pass over the text. */
export const re2Patterns: Patterns = {
  findFault: (pattern) => {
    const { RE2JS, RE2JSException } = re2()
    try {
      const steps = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).programSize()
      return steps <= maxPatternSteps ? null : `must compile to at most ${maxPatternSteps} steps, not ${steps}`
    } catch (error) {
      if (error instanceof RE2JSException) return error.message
      throw error
    }
  },
  compile: (patterns) => {
    const { RE2JS } = re2()
    const places = [...patterns.keys()]
    const isLarge = places.map(
      (place) => RE2JS.compile(patterns[place] ?? "", RE2JS.CASE_INSENSITIVE).programSize() > maxJoinedSteps,
    )
    const small = places.filter((place) => !isLarge[place])
    const large = places.filter((place) => isLarge[place])
    return [
      ...(small.length === 0 ? [] : [compileGroup(small, patterns, joinedBytes)]),
      ...large.map((place) => compileGroup([place], patterns, singleBytes)),
    ]
  },
}
