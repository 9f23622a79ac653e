import type { Effect } from "effect"

/** The most characters of a pattern [I6.1]. */
export const maxPatternLength = 1_000

/** The most steps of a compiled pattern. More would keep a process busy for long with one text. */
export const maxPatternSteps = 3_000

/** Patterns that are matched together. */
export interface PatternGroup {
  /** The places, in what was compiled, of the patterns that are found in `text`. Takes a time that is linear in its length. */
  match(text: string): ReadonlyArray<number>
  /** The same, beside other work: a long match would keep everybody waiting. None is interrupted once it was asked for. */
  matchApart(text: string): Effect.Effect<ReadonlyArray<number>>
  /** To how many steps its patterns compile together, at most `maxPatternSteps`: how long a match may take goes by that. */
  readonly steps: number
  /** About how many bytes it may come to hold. */
  readonly bytes: number
}

/** Regular expressions in the syntax of RE2, matched in any case. */
export interface Patterns {
  /** What is wrong with a pattern, for people; null where nothing is. One of more than `maxPatternSteps` is refused. */
  findFault(pattern: string): string | null
  /**
   * Compiles patterns in which there is no fault. Those that are slow to match keep to groups of their own. A group is made when it is
   * asked for, so that others can have their turn before the next.
   */
  compile(patterns: ReadonlyArray<string>): Iterable<PatternGroup>
}
