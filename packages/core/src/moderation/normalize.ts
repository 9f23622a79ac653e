// Spelled out: \s would take the byte order mark and the wide spaces, which are to be removed and composed.
const ascii = /^[\u0020-\u007e\t\n\r]*$/
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

// To bring thousands of marks on one letter into their order takes the square of their number. No writing has more than 30 (UAX #15).
const tooManyMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu
const compose = (text: string) => text.replace(tooManyMarks, "$1").normalize("NFKC")

// Composed before, because that shows what is ignorable, and after, because removing and lower-casing leave parts to compose.
const normalizeAny = (text: string) => compose(compose(text).replace(ignorable, "").toLowerCase().replaceAll("ς", "σ"))

/**
 * `text` as rules read it: NFKC, without default-ignorable code points, in lower case [I6.1]. Of the marks on a letter it has the first
 * 30.
 */
export const normalizeText = (text: string): string => (ascii.test(text) ? text.toLowerCase() : normalizeAny(text))
