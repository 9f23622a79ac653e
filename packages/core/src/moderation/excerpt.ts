const maxLength = 280

/** `text` from one character to another, without halves of characters at its ends. */
const slice = (text: string, from: number, to: number): string => {
  const isHalf = (at: number) => /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))
  return text.slice(isHalf(from) ? from + 1 : from, isHalf(to) ? to - 1 : to)
}

/** The beginning of texts, as the queue shows it: at most 280 characters, none of them cut in half [I6.2]. */
export const excerpt = (texts: ReadonlyArray<string | null>): string =>
  slice(texts.filter((text) => text !== null && text !== "").join("\n"), 0, maxLength)

/**
 * All parts of a text that the queue may show of it, in their order. Each has at most 280 characters, begins and ends between words
 * where there are any, and shares about a half with the next one.
 */
export const listExcerpts = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  const half = maxLength / 2
  for (let at = 0; at === 0 || at + half < text.length; at += half) {
    const space = at === 0 ? 0 : text.slice(at, at + half / 2).search(/\s/) + 1
    const from = at + space
    const to = Math.min(from + maxLength, text.length)
    const end = to === text.length ? to : from + text.slice(from, to).search(/\s\S*$/)
    parts.push(slice(text, from, end > from + half ? end : to))
  }
  return parts
}
