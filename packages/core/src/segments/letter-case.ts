const keepLength = (changed: string, letter: string) => ([...changed].length === 1 ? changed : letter)

// Folds to upper case first, because σ and ς, and k and the Kelvin sign, share a capital. A letter whose other case has
// several letters (ß, İ) is kept, so that a text keeps its length.
const foldLetter = (letter: string): string => {
  const capital = keepLength(letter.toUpperCase(), letter)
  return keepLength(capital.toLowerCase(), capital)
}

const ascii = /^[^\u0080-\uFFFF]*$/

/** `text` with each letter folded by itself. Two texts are equal ignoring case when their folds are equal. */
export const foldCase = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : Array.from(text, foldLetter).join("")

// All letters with two cases are in the first two planes of Unicode.
const lastWithCase = 0x1ffff
let variants: ReadonlyMap<string, ReadonlyArray<string>> | undefined

const collectVariants = () => {
  const found = new Map<string, Array<string>>()
  for (let code = 0x41; code <= lastWithCase; code += 1) {
    if (code === 0xd800) code = 0xe000
    const letter = String.fromCodePoint(code)
    const folded = foldLetter(letter)
    if (folded === letter) continue
    const same = found.get(folded) ?? [folded]
    found.set(folded, same)
    same.push(letter)
  }
  return found
}

/** All letters that are equal to `letter` ignoring case, itself included: those with the same `foldCase`. */
export const sameLetters = (letter: string): ReadonlyArray<string> => {
  variants ??= collectVariants()
  return variants.get(foldLetter(letter)) ?? [letter]
}
