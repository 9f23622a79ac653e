import { sameLetters } from "@hearth/core/segments"

const special = /[\\^$.*+?()[\]{}|]/

const oneOf = (letter: string): string => {
  if (special.test(letter)) return `\\${letter}`
  const same = sameLetters(letter)
  return same.length === 1 ? letter : `[${same.join("")}]`
}

/**
 * A regular expression that finds `text` in any case. It lists both cases of every letter, because the letters that the
 * locale of the database knows differ between servers and versions.
 */
export const containsPattern = (text: string): string => Array.from(text, oneOf).join("")
