const special = /["\\]/
const specials = /["\\]/g

const quote = (text: string) => `"${special.test(text) ? text.replace(specials, "\\$&") : text}"`

/**
 * A list as text that the server reads as an array; null where an item is none of a text, a number, a boolean, an instant, null and
 * a list of these. The driver would write an instant in the local zone of the process, and looks at each item with two expressions.
 */
export const arrayText = (items: ReadonlyArray<unknown>): string | null => {
  let [text, comma] = ["{", ""]
  for (const item of items) {
    text += comma
    comma = ","
    if (typeof item === "string") text += quote(item)
    else if (item === null || item === undefined) text += "NULL"
    else if (typeof item === "number" || typeof item === "boolean" || typeof item === "bigint") text += String(item)
    else if (item instanceof Date) text += quote(item.toISOString())
    else {
      const inner = Array.isArray(item) ? arrayText(item) : null
      if (inner === null) return null
      text += inner
    }
  }
  return `${text}}`
}
