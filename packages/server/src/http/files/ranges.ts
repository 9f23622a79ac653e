import parseRange from "range-parser"

/** What is sent of a file: all of it, some parts, or nothing because none of those asked for is in it. */
export type Wanted =
  | { readonly kind: "all" | "none" }
  | { readonly kind: "parts"; readonly parts: ReadonlyArray<{ readonly start: number; readonly end: number }> }

// Nobody needs more; whoever asks for more is sent the whole file.
const mostParts = 8

// Longer ones are not understood: the patterns below take long for many digits in a row.
const longestRange = 500

// The last 500 bytes of a file of 300 are all of it. The parser takes that for a range that is not there.
const boundSuffixes = (range: string, size: number) =>
  range.replace(/(?<=[=,]\s*)-(\d+)/g, (_, length) => `-${Math.min(Number(length), size)}`)

// A range that ends before it begins is invalid, not beyond the end: it is ignored.
const hasReversedRange = (range: string) =>
  [...range.matchAll(/(\d+)\s*-\s*(\d+)/g)].some(([, first, last]) => Number(last) < Number(first))

/**
 * Reads a `Range` header for a file of this size and tag. What is not understood is ignored, as is a range under the condition that
 * the file is another one (`If-Range`). Parts that overlap are sent once.
 */
export const readRange = (range: string | null, condition: string | null, size: number, tag: string): Wanted => {
  if (range === null || (condition !== null && condition.trim() !== tag)) return { kind: "all" }
  if (range.length > longestRange || !/^bytes=/.test(range) || hasReversedRange(range)) return { kind: "all" }
  const parsed = parseRange(size, boundSuffixes(range, size), { combine: true })
  if (parsed === -1) return { kind: "none" }
  if (parsed === -2 || parsed.length > mostParts) return { kind: "all" }
  return { kind: "parts", parts: parsed.map(({ start, end }) => ({ start, end })) }
}

/** Whether one of the tags of `If-None-Match` is this one: then the client has the file already. */
export const hasTag = (header: string | null, tag: string): boolean =>
  (header ?? "").split(",").some((each) => ["*", tag].includes(each.trim().replace(/^W\//, "")))
