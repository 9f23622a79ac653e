import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeKeywordMatcher, type WantedKeyword } from "./keywords.ts"

const match = (wanted: ReadonlyArray<WantedKeyword>, text: string) => {
  const found = new Set<number>()
  makeKeywordMatcher(wanted).match(text, (rule) => found.add(rule))
  return [...found].toSorted((a, b) => a - b)
}

const word = (text: string, rule = 0): WantedKeyword => ({ text, rule, match: "word" })
const part = (text: string, rule = 0): WantedKeyword => ({ text, rule, match: "substring" })

describe("keywords", () => {
  it.each([
    ["spam", "buy spam now", true],
    ["spam", "spam", true],
    ["spam", "(spam)", true],
    ["spam", "spam-free", true],
    ["spam", "no.spam.here", true],
    ["spam", "spammer", false],
    ["spam", "antispam", false],
    ["spam", "spam1", false],
    ["spam", "1spam", false],
    ["spam", "spam_", false],
    ["spam", "spam\u0301", false],
    ["spam", "spaḿ", false],
    ["spam", "spam𝟗", false],
    ["spam", "𐐨spam", false],
    ["spam", "😀spam😀", true],
    ["spam", "spamspam spam", true],
    ["two words", "these two words here", true],
    ["two words", "two  words", false],
    ["c++", "i like c++!", true],
    ["😀", "a 😀 b", true],
    ["東京", "東京", true],
    ["東京", "東京都", false],
    ["é", "café", false],
  ])("finds the word %j in %j: %j [I6.1]", (keyword, text, expected) => {
    expect(match([word(keyword)], text)).toEqual(expected ? [0] : [])
  })

  it.each([
    ["spam", "antispammer", true],
    ["東京", "東京都", true],
    ["aab", "aaab", true],
    ["ab", "a b", false],
    ["x", "", false],
  ])("finds the part %j in %j: %j [I6.1]", (keyword, text, expected) => {
    expect(match([part(keyword)], text)).toEqual(expected ? [0] : [])
  })

  it("finds those that end within or at the end of others", () => {
    const wanted = [part("she", 0), part("he", 1), word("hers", 2), word("his", 3), part("ers", 4), word("she", 5)]
    expect(match(wanted, "ushers")).toEqual([0, 1, 4])
    expect(match(wanted, "she hers")).toEqual([0, 1, 2, 4, 5])
  })

  it("tells the lower of two rules with the same keyword, for words and for parts", () => {
    expect(match([part("a", 3), part("a", 1), word("a", 2), word("a", 0)], "ba a")).toEqual([0, 1])
  })

  it("finds none without keywords", () => expect(match([], "text")).toEqual([]))

  it("finds what a search for each keyword finds", () => {
    const keyword = fc.string({ unit: fc.constantFrom("a", "b", "_", " ", "é"), minLength: 1, maxLength: 4 })
    const some = fc.array(keyword, { minLength: 1, maxLength: 12 })
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "_", " ", "é"), maxLength: 40 })
    void fc.assert(
      fc.property(some, texts, (keywords, text) => {
        const parts = keywords.map((each, rule) => part(each, rule))
        const unique = keywords
          .map((each, rule) => [each, rule] as const)
          .filter(([each], at) => keywords.indexOf(each) === at)
        expect(match(parts, text)).toEqual(unique.filter(([each]) => text.includes(each)).map(([, rule]) => rule))
        const isWord = (each: string) =>
          new RegExp(`(?<![\\p{L}\\p{Nd}\\p{M}_])${each}(?![\\p{L}\\p{Nd}\\p{M}_])`, "u").test(text)
        const words = keywords.map((each, rule) => word(each, rule))
        expect(match(words, text)).toEqual(unique.filter(([each]) => isWord(each)).map(([, rule]) => rule))
      }),
      { numRuns: 500 },
    )
  })
})
