import type { JsonObject } from "@hearth/core"

/** Text that storage changes when it handles encodings, quoting or lengths wrongly. */
export const awkwardText = `  "'\\ %_ é 🦊 \u{10FFFF} \u0001\u007F\u0085\u2028 \r\n\t \u202Ereversed ${"x".repeat(100)} $1 ? {} [] null `

/** Text of so many bytes that cannot be compressed. */
export const incompressibleText = (bytes: number): string => {
  let state = 1
  return Array.from({ length: bytes }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(33 + (state % 94))
  }).join("")
}

/** Instants that PostgreSQL does not have, or that the driver cannot write for it. */
export const impossibleInstants: ReadonlyArray<Date> = [
  new Date("0000-12-31T23:59:59.999Z"),
  new Date("-000001-01-01T00:00:00.000Z"),
  new Date("+010000-01-01T00:00:00.000Z"),
  new Date(Number.NaN),
]

/** Texts in ascending order of their code points. UTF-16 units and most languages sort them otherwise. */
export const textsInOrder: ReadonlyArray<string> = [
  "",
  " ",
  "A",
  "B",
  "Z",
  "_",
  "a",
  "aa",
  "b",
  "z",
  "~",
  "é",
  "\uFFFD",
  "🦊",
]

/** JSON that storage changes when it handles numbers, keys, nesting or null wrongly. */
export const awkwardJson: JsonObject = {
  ...(JSON.parse('{"__proto__":{"polluted":true},"constructor":"own"}') as JsonObject),
  toString: "own",
  "": "empty key",
  "a.b": { "c d": [1, [2, [3, { deep: null }]]] },
  nothing: null,
  none: [],
  "🦊 ключ": awkwardText,
  largest: Number.MAX_SAFE_INTEGER,
  huge: 1.7976931348623157e308,
  tiny: 5e-324,
  fraction: 0.1,
  negative: -1234.5678,
  digits: "007",
  looksLikeDate: "2026-01-01T00:00:00.000Z",
  flag: false,
}

/** Instants at the edges of what is kept to the millisecond. */
export const awkwardInstant = new Date("2024-02-29T23:59:59.999Z")
export const earlyInstant = new Date("0001-01-01T00:00:00.001Z")
export const lateInstant = new Date("9999-12-31T23:59:59.999Z")

/** Instants in ascending order, two of them a millisecond apart. */
export const instantsInOrder: ReadonlyArray<Date> = [
  earlyInstant,
  awkwardInstant,
  new Date(awkwardInstant.getTime() + 1),
  lateInstant,
]
