const maxLength = 280

/** The beginning of texts, as the queue shows it: at most 280 characters, none of them cut in half [I6.2]. */
export const excerpt = (texts: ReadonlyArray<string | null>): string => {
  const all = texts.filter((text) => text !== null && text !== "").join("\n")
  if (all.length <= maxLength) return all
  const cut = all.slice(0, maxLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
