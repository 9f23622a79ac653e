import { readFileSync } from "node:fs"

/** The release that this code is of. */
export const release: string = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
).version

const numbersOf = (version: string): ReadonlyArray<number> =>
  version
    .split(/[.+-]/)
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10) || 0)

/** Orders releases by their three numbers: below 0 when `a` is the earlier one. */
export const compareReleases = (a: string, b: string): number => {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  for (let at = 0; at < 3; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
