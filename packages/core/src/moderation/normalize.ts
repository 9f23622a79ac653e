const ascii = /^[\u0020-\u007e\s]*$/
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

// Composed before, because that shows what is ignorable, and after, because removing and lower-casing leave parts to compose.
const normalizeAny = (text: string) =>
  text.normalize("NFKC").replace(ignorable, "").toLowerCase().replaceAll("ς", "σ").normalize("NFKC")

/** `text` as rules read it: NFKC, without default-ignorable code points, in lower case [I6.1]. */
export const normalizeText = (text: string): string => (ascii.test(text) ? text.toLowerCase() : normalizeAny(text))
