import { sameLetters } from "@hearth/core/segments"

const special = /[\\^$.*+?()[\]{}|]/

const oneOf = (letter: string): string => {
  if (special.test(letter)) return `\\${letter}`
  const same = sameLetters(letter)
  return same.length === 1 ? letter : `[${same.join("")}]`
}

/**
 * A regular expression that finds `text` in any case. It names every letter, so it does not depend on what letters the
 * locale of the database knows: servers and versions differ there.
 */
export const containsPattern = (text: string): string => Array.from(text, oneOf).join("")
