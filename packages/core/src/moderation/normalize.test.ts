import { expect, it } from "vitest"
import { normalizeText } from "./normalize.ts"

it.each([
  ["Spam", "spam"],
  ["ｓｐａｍ", "spam"],
  ["𝓼𝓹𝓪𝓶", "spam"],
  ["sp\u200bam", "spam"],
  ["s\u00adp\u2060a\ufeffm\u200d", "spam"],
  ["sp\u202eam", "spam"],
  ["e\u200b\u0301", "é"],
  ["\u212a", "k"],
  ["①", "1"],
  ["ΟΔΟΣ", "οδοσ"],
  ["οδος", "οδοσ"],
  ["a\tb\nC", "a\tb\nc"],
  ["\u115f\uffa0", ""],
  ["", ""],
])("reads %j as %j [I6.1]", (text, expected) => {
  expect(normalizeText(text)).toBe(expected)
  expect(normalizeText(normalizeText(text))).toBe(expected)
})
