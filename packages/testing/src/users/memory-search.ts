// One code point at a time, as PostgreSQL does: `toLowerCase` on the whole text depends on the neighbours of a sigma, and makes two
// of a dotted capital I.
const folded = (text: string): string =>
  [...text].map((character) => (character === "\u0130" ? "i" : character.toLowerCase())).join("")

/** Makes a test whether a text contains `search`, ignoring case; every character is literal [A11]. */
export const contains = (search: string): ((text: string | null) => boolean) => {
  const wanted = folded(search)
  return (text) => text !== null && folded(text).includes(wanted)
}
