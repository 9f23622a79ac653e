import { describe, expect, it, test } from "vitest"
import { excerpt, listExcerpts } from "./excerpt.ts"

const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(" ")

describe("an excerpt [I6.2]", () => {
  it("is the beginning, without half a character", () => {
    expect(excerpt([null, "One", "", "Two"])).toBe("One\nTwo")
    expect(excerpt([`${"x".repeat(279)}😀`])).toBe("x".repeat(279))
    expect(excerpt(["😀".repeat(200)])).toBe("😀".repeat(140))
  })
})

describe("the parts of a text that may be shown [I6.2]", () => {
  test.each(["", "short", "x".repeat(280)])("are one where it fits: %j", (text) => {
    expect(listExcerpts(text)).toEqual([text])
  })

  test.each([
    ["words", words(700)],
    ["letters", words(900).replaceAll(" ", "-")],
    ["pairs of halves", `y${String.fromCodePoint(...Array.from({ length: 2_000 }, (_, n) => 0x20000 + n))}`],
    ["lines", words(700).replaceAll(" ", "\n")],
    ["a little more than one", words(50)],
  ])("of %s are short, well-formed, and together all of it", (_, text) => {
    let covered = 0
    for (const part of listExcerpts(text)) {
      expect(part.length).toBeLessThanOrEqual(280)
      expect(part.isWellFormed()).toBe(true)
      const at = text.indexOf(part, Math.max(0, covered - 280))
      expect(at).toBeLessThanOrEqual(covered)
      covered = Math.max(covered, at + part.length)
    }
    expect(covered).toBe(text.length)
  })

  it("cut no word that is not longer than a part", () => {
    const known = new Set(words(900).split(" "))
    const shown = listExcerpts(words(900)).flatMap((part) => part.split(" "))
    expect(shown.filter((word) => !known.has(word))).toEqual([])
    expect(new Set(shown)).toEqual(known)
  })
})
