import type { Signals } from "@hearth/core"
import { maxPatternSteps, type PatternGroup, type Patterns } from "@hearth/core/moderation"
import { Effect } from "effect"
import { compileSet, re2 } from "./compile-set.ts"
import { makeMatchInThread } from "./thread/match-in-thread.ts"

// A pattern of more steps is matched by itself: it might make the states of those that it is joined with too many.
const maxJoinedSteps = 250
// How many bytes of states are kept of all patterns that are joined, and at least of a group. Beyond it they are found anew, in linear time.
const [joinedBytes, singleBytes] = [4 * 2 ** 20, 2 ** 19]

/** Patterns to match together, by their places, and how many steps they have. */
interface Joined {
  readonly places: ReadonlyArray<number>
  readonly steps: number
}

type MatchInThread = ReturnType<typeof makeMatchInThread>

const compileGroup = (
  { places, steps }: Joined,
  all: ReadonlyArray<string>,
  bytes: number,
  matchInThread: MatchInThread,
): PatternGroup => {
  const patterns = places.map((place) => all[place] ?? "")
  // Compiled with the first text that is matched here: long texts are not.
  let matchHere: ReturnType<typeof compileSet> | undefined
  const toPlaces = (found: ReadonlyArray<number>) => found.map((at) => places[at] ?? 0)
  const match = (text: string) => {
    matchHere ??= compileSet(patterns, bytes)
    return toPlaces(matchHere(text))
  }
  return {
    bytes,
    steps,
    match,
    matchApart: (text) =>
      Effect.tryPromise(() => matchInThread({ patterns, bytes, text })).pipe(
        Effect.map(toPlaces),
        // Without a thread it takes its time here: nobody's text is refused, or let through, for that.
        Effect.catch(() => Effect.sync(() => match(text))),
        // The thread goes on with it, whoever has gone: until then its caller's turn is taken.
        Effect.uninterruptible,
      ),
  }
}

/** Joins patterns, given with their steps, for as long as they have no more steps together than one may have. */
const join = (sizes: ReadonlyArray<readonly [place: number, steps: number]>): ReadonlyArray<Joined> => {
  const groups: Array<Joined> = []
  for (const [place, steps] of sizes) {
    const last = groups.at(-1)
    if (last === undefined || last.steps + steps > maxPatternSteps) groups.push({ places: [place], steps })
    else groups[groups.length - 1] = { places: [...last.places, place], steps: last.steps + steps }
  }
  return groups
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

/**
 * Regular expressions by re2js, a port of RE2. Small ones are matched together, in few passes over the text. `thread` is the module of the
 * thread for long matches, ours where left out.
 */
export const re2Patterns = ({ emit }: Signals, thread?: URL): Patterns => {
  const matchInThread = makeMatchInThread((reason) => emit({ name: "pattern_thread_lost", reason }), thread)
  const sizeOf = makeSizes()
  return {
    findFault: (pattern) => {
      const size = sizeOf(pattern)
      if (typeof size === "string") return size
      return size <= maxPatternSteps ? null : `must compile to at most ${maxPatternSteps} steps, not ${size}`
    },
    *compile(patterns) {
      const sizes = patterns.map((pattern, place) => [place, Number(sizeOf(pattern))] as const)
      const joined = join(sizes.filter(([, steps]) => steps <= maxJoinedSteps))
      const bytes = Math.max(singleBytes, joinedBytes / joined.length)
      for (const group of joined) yield compileGroup(group, patterns, bytes, matchInThread)
      for (const [place, steps] of sizes)
        if (steps > maxJoinedSteps) yield compileGroup({ places: [place], steps }, patterns, singleBytes, matchInThread)
    },
  }
}
