const keepLength = (changed: string, letter: string) => ([...changed].length === 1 ? changed : letter)

// By way of the capital: σ and ς have one, and so have k and the sign of Kelvin. Where another case would be several
// letters (ß, İ) the letter stays as it is, so that a text keeps its length.
const foldLetter = (letter: string): string => {
  const capital = keepLength(letter.toUpperCase(), letter)
  return keepLength(capital.toLowerCase(), capital)
}

const ascii = /^[^\u0080-\uFFFF]*$/

/** `text` with every letter in one case, each by itself. Two texts are the same but for case when this makes them equal. */
export const foldCase = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : Array.from(text, foldLetter).join("")

// No letter with two cases is beyond these planes.
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

/** All letters that are the same as `letter` but for case, itself among them: what `foldCase` does not tell apart. */
export const sameLetters = (letter: string): ReadonlyArray<string> => {
  variants ??= collectVariants()
  return variants.get(foldLetter(letter)) ?? [letter]
}
