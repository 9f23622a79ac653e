const mostChars = 60

/** The beginning of a text, in one line, by which one knows it again. */
export const sayShort = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= mostChars ? line : `${line.slice(0, mostChars - 1)}…`
}
