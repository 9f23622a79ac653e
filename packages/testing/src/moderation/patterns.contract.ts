import type { Patterns } from "@hearth/core/moderation"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

/** What every `Patterns` promises. */
export const patternsContract = (name: string, patterns: Patterns) =>
  describe(`patterns: ${name}`, () => {
    const match = (given: ReadonlyArray<string>, text: string) =>
      [...patterns.compile(given)].flatMap((group) => group.match(text)).toSorted((a, b) => a - b)

    it("tells which of many are found, in any case", () => {
      const given = [
        "spam",
        "^h.*o$",
        "[A-Z]{5}",
        "\\bcat\\b",
        "\\p{Greek}+",
        "x{1000}",
        "a|b",
        "(?P<name>l)\\1?".slice(0, 11),
      ]
      expect(match(given, "hello")).toEqual([1, 2, 7])
      expect(match(given, "a SPAM of cats")).toEqual([0, 6])
      expect(match(given, "ζωη cat")).toEqual([3, 4, 6])
      expect(match(given, "x".repeat(1_000))).toEqual([2, 5])
      expect(match(given, "")).toEqual([])
      expect(match([], "hello")).toEqual([])
    })

    it("tells the same of a text that is matched apart", async () => {
      const given = ["spam", "x{1000}", "a|b", "\\p{Greek}+"]
      const groups = [...patterns.compile(given)]
      for (const text of ["a SPAM", "x".repeat(20_000), "ζωη", "", "hello"]) {
        const apart = await Effect.runPromise(Effect.all(groups.map((group) => group.matchApart(text))))
        expect(apart.flat().toSorted(), text).toEqual(match(given, text))
      }
    })

    it("answers the same for the same text again", () => {
      const groups = [...patterns.compile(["b+", "c"])]
      const texts = ["abba", "cab", "x", "abba"]
      const answers = () => texts.map((text) => groups.flatMap((group) => group.match(text)))
      expect(answers()).toEqual(answers())
    })

    it.each([
      "[",
      "(",
      "a)",
      "a**",
      "(?=a)",
      "(?!a)",
      "(?<=a)b",
      "(a)\\1",
      "\\k<a>",
      "a{1001}",
      "(a{0,1000}){0,1000}",
      "((a{0,100}){0,100}){0,100}",
      "\\C",
      "\\u0041",
      "a++",
      "*",
      "\\",
      "(?<n>a)(?<n>b)",
      "[b-a]",
      "a{1000}".repeat(142),
      "\\pL{1000}".repeat(100),
    ])("finds a fault in %s [I6.1]", (pattern) => {
      expect(patterns.findFault(pattern)).toEqual(expect.any(String))
    })

    it.each([
      "a",
      "a|b",
      "(a*)*",
      "x*",
      "\\d{2,4}",
      "(?i:a)",
      "\\pL",
      "a{1000}",
      "é",
      "\\Qa.b\\E",
      "\u{1f600}",
      "a".repeat(1_000),
    ])("finds none in %s", (pattern) => expect(patterns.findFault(pattern)).toBeNull())

    it("takes a time that is linear in the text, whatever the pattern is [I6.1]", () => {
      const explosive = [
        "(x+x+)+y",
        "(a|a)*$b",
        "(a*)*c",
        "(a|b|ab)*c",
        "^(([a-z])+.)+[0-9]([a-z])+$",
        "(a?){500}a{500}c",
      ]
      const text = "a".repeat(20_000)
      expect(match(explosive, `${text}!`)).toEqual([])
      expect(match(explosive, "x".repeat(20_000))).toEqual([])
      expect(match(["[ab]*a[ab]{900}c"], "ab".repeat(10_000))).toEqual([])
    })
  })
