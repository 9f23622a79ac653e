// Further away is another word, and no slip of the finger.
const furthest = 3

/** How many characters must be added, left out, changed or swapped with the next to turn one word into another. */
const distance = (from: string, to: string): number => {
  let [older, old]: [ReadonlyArray<number>, ReadonlyArray<number>] = [[], [...Array(to.length + 1).keys()]]
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const changed = (old[column - 1] ?? 0) + (isSame ? 0 : 1)
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwapped ? (older[column - 2] ?? 0) + 1 : changed
      next.push(Math.min((old[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, changed, swapped))
    }
    ;[older, old] = [old, next]
  }
  return old[to.length] ?? 0
}

/** The distance of two words without regard to case; null where they are no spellings of the same. */
export const spellingDistance = (from: string, to: string): number | null => {
  if (from === to) return 0
  const most = Math.min(furthest, Math.ceil(to.length / 2))
  if (Math.abs(from.length - to.length) > most) return null
  const found = distance(from.toLowerCase(), to.toLowerCase())
  return found > most ? null : found
}

/** The word that was probably meant; null where none is near. */
export const findNearest = (word: string, words: ReadonlyArray<string>): string | null => {
  const near = words.flatMap((each) => {
    const apart = spellingDistance(word, each)
    return apart === null ? [] : [{ each, apart }]
  })
  return near.sort((a, b) => a.apart - b.apart)[0]?.each ?? null
}
