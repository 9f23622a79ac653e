/** `text` without such characters at its end. A pattern like `/x+$/` would be tried from each of many that are not at the end. */
export const trimEnd = (text: string, character: string): string => {
  let end = text.length
  while (text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
