import { maxPatternSteps, type PatternGroup, type Patterns } from "@hearth/core/moderation"
import { RE2JS, RE2JSException, RE2Set } from "re2js"

const flags = RE2JS.CASE_INSENSITIVE
// A pattern of more steps is matched by itself: it might make the states of those that it is joined with too many.
const maxJoinedSteps = 250
// How many bytes of states are kept of patterns that are joined, and of one that is not. Beyond it they are found anew, in linear time.
const [joinedBytes, singleBytes] = [4 * 2 ** 20, 2 ** 19]

const compileGroup = (places: ReadonlyArray<number>, patterns: ReadonlyArray<string>, bytes: number): PatternGroup => {
  const set = new RE2Set(RE2Set.UNANCHORED, flags, bytes)
  for (const place of places) set.add(patterns[place] ?? "")
  set.compile()
  return { bytes, match: (text) => set.match(text).map((at) => places[at] ?? 0) }
}

/** Regular expressions by re2js, a port of RE2. Small ones are matched together, in one pass over the text. */
export const re2Patterns: Patterns = {
  findFault: (pattern) => {
    try {
      const steps = RE2JS.compile(pattern, flags).programSize()
      return steps <= maxPatternSteps ? null : `must compile to at most ${maxPatternSteps} steps, not ${steps}`
    } catch (error) {
      if (error instanceof RE2JSException) return error.message
      throw error
    }
  },
  compile: (patterns) => {
    const places = [...patterns.keys()]
    const isLarge = places.map((place) => RE2JS.compile(patterns[place] ?? "", flags).programSize() > maxJoinedSteps)
    const small = places.filter((place) => !isLarge[place])
    const large = places.filter((place) => isLarge[place])
    return [
      ...(small.length === 0 ? [] : [compileGroup(small, patterns, joinedBytes)]),
      ...large.map((place) => compileGroup([place], patterns, singleBytes)),
    ]
  },
}
