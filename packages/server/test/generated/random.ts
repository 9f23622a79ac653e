/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number
  /** A whole number from 0 up to, and without, `below`. */
  below(below: number): number
  pick<A>(list: ReadonlyArray<A>): A
  chance(probability: number): boolean
}

/** Random choices from a seed (mulberry32). */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (list) => {
      const found = list[below(list.length)]
      if (found === undefined) throw new Error("There is nothing to pick from.")
      return found
    },
    chance: (probability) => next() < probability,
  }
}
