import { expect, it } from "vitest"
import { normalizeText } from "./normalize.ts"

it.each([
  ["Spam", "spam"],
  ["ｓｐａｍ", "spam"],
  ["𝓼𝓹𝓪𝓶", "spam"],
  ["sp\u200bam", "spam"],
  ["s\u00adp\u2060a\ufeffm\u200d", "spam"],
  ["sp\u202eam", "spam"],
  ["sp\ufeffam", "spam"],
  ["a\u00a0b\u3000c\u2003d", "a b c d"],
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

it("reads the first 30 marks on a letter, in a time that grows with the text", () => {
  expect(normalizeText(`a${"\u0334".repeat(30)}b`)).toBe(`a${"\u0334".repeat(30)}b`)
  expect(normalizeText(`a${"\u0334".repeat(31)}b`)).toBe(`a${"\u0334".repeat(30)}b`)
  for (const marks of ["\u0315\u0300", "\uff9e\u0300\u0315", `${"\u0315\u0300".repeat(10)}\u200d`])
    expect(normalizeText(`a${marks.repeat(1_000_000 / marks.length)}`).length).toBeLessThan(40)
})
