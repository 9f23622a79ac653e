import { describe, expect, it, test } from "vitest"
import { foldCase, sameLetters } from "./letter-case.ts"

describe("text but for its case", () => {
  test.each([
    ["HELLO", "hello"],
    ["ÄPFEL", "äpfel"],
    ["ΟΔΌΣ", "οδός"],
    ["Σ", "ς"],
    ["ẞ", "ß"],
    ["𐐀", "𐐨"],
    ["Ꭰ", "ꭰ"],
    ["ǅ", "ǆ"],
    ["\u212A", "k"],
  ])("is the same in %s and %s", (one, other) => expect(foldCase(one)).toBe(foldCase(other)))

  test.each([
    ["ß", "ss"],
    ["İ", "i"],
    ["é", "e"],
    ["ﬁ", "fi"],
    ["1", "¹"],
  ])("is not the same in %s and %s", (one, other) => expect(foldCase(one)).not.toBe(foldCase(other)))

  it("keeps its length, letter by letter", () => {
    for (let code = 0; code <= 0x10ffff; code += code < 0x20000 ? 1 : 4096) {
      if (code === 0xd800) code = 0xe000
      const text = `${String.fromCodePoint(code)}ä`
      if ([...foldCase(text)].length !== 2) throw new Error(`${text} has another length.`)
    }
  })

  it("does not depend on the letters around", () => {
    for (const text of ["ΑΣ", "ΑΣΑ", "Σ"]) expect(foldCase(text)).toBe([...text].map(foldCase).join(""))
  })
})

describe("the letters that are the same", () => {
  it("are all that fold to the same letter, and no others", () => {
    expect(sameLetters("Σ")).toEqual(["σ", "Σ", "ς"])
    expect(sameLetters("k")).toEqual(["k", "K", "\u212A"])
    expect(sameLetters("%")).toEqual(["%"])
    for (let code = 0; code < 0x20000; code += 1) {
      if (code === 0xd800) code = 0xe000
      const letter = String.fromCodePoint(code)
      const same = sameLetters(letter)
      if (!same.includes(letter)) throw new Error(`${letter} is not among its variants.`)
      if (same.some((other) => foldCase(other) !== foldCase(letter))) throw new Error(`${letter} has other letters.`)
    }
  })
})
