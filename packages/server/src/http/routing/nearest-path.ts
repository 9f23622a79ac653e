import { spellingDistance } from "../request/nearest.ts"

interface KnownPath {
  readonly pattern: string
  readonly segments: ReadonlyArray<string>
}

// A path that nobody typed costs no search.
const longestPath = 200
const mostSegments = 12

const split = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/** How far two paths of as many segments are apart: only one segment may be another word. A parameter takes any. */
const distanceOf = (
  given: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  apart: (word: string, segment: string) => number | null,
): number | null => {
  let [sum, others] = [0, 0]
  for (const [at, segment] of known.entries()) {
    const word = given[at] ?? ""
    if (word === segment || segment.startsWith(":")) continue
    others += 1
    const found = others > 1 ? null : apart(word, segment)
    if (found === null) return null
    sum += found
  }
  // Of two that fit, the one that names more of what was given is nearer.
  return sum + known.filter((segment) => segment.startsWith(":")).length / 100
}

/**
 * Makes the function that finds the known path that is nearest to one that does not exist: with one word spelt otherwise, without `/v1`, or with a
 * segment too few or too many at its end. Null where none is near.
 */
export const makeNearestPath = (patterns: ReadonlyArray<string>): ((path: string) => string | null) => {
  const known: ReadonlyArray<KnownPath> = patterns.map((pattern) => ({ pattern, segments: split(pattern) }))
  return (path) => {
    const segments = path.length > longestPath ? [] : split(path)
    if (segments.length === 0 || segments.length > mostSegments) return null
    const distances = new Map<string, number | null>()
    const apart = (word: string, segment: string) => {
      const key = `${word}/${segment}`
      const found = distances.get(key) ?? (distances.has(key) ? null : spellingDistance(word, segment))
      distances.set(key, found)
      return found
    }
    const variants = [segments, ["v1", ...segments], segments.slice(0, -1)].filter((each) => each.length > 1)
    for (const given of variants) {
      const near = known
        .filter((each) => each.segments.length === given.length)
        .flatMap(({ pattern, segments: parts }) => {
          const distance = distanceOf(given, parts, apart)
          return distance === null ? [] : [{ pattern, distance }]
        })
      const [nearest] = near.sort((a, b) => a.distance - b.distance)
      if (nearest !== undefined) return nearest.pattern
    }
    return null
  }
}
