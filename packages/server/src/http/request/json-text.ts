import type { InputIssue } from "@hearth/core"
import { describeJsonFault } from "./json-fault.ts"

/** A JSON value, or what is wrong with the text. */
export type ParsedJson = { readonly value: unknown } | { readonly issue: InputIssue }

// A browser's stack and PostgreSQL's jsonb both give up on deep nesting; the limit is the same for all bodies [A9].
const maxDepth = 32

const makeIssue = (message: string, path = ""): ParsedJson => ({ issue: { path, message } })

/** The end of the string that begins at `start`; the end of the text where it has none. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Whether the brackets of a JSON text nest deeper than 32 levels. The outermost is level 1. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    // Most of a text is strings: to search for their ends takes a third of the time.
    if (code === 0x22) index = endOfString(text, index)
    else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

// Only a text with such an escape can hold NUL or half of a surrogate pair, because its bytes are UTF-8 and JSON takes no bare NUL.
const awkwardEscape = /\\u(?:0000|[dD][89a-fA-F])/
// Only with an exponent of three digits or a great many digits can a number be one that is not finite. Ids look like that too.
const hugeNumber = /[eE]\+?\d{3}|\d{200}/

const badText = (text: string): string | null => {
  if (text.includes("\u0000")) return "must not contain NUL"
  return text.isWellFormed() ? null : "must be well-formed Unicode"
}

const within = (key: string, { path, message }: InputIssue): InputIssue => ({
  path: path === "" ? key : `${key}.${path}`,
  message,
})

/** The first number that is not finite, or, with `texts`, the first text that PostgreSQL cannot store. */
const badValue = (value: unknown, texts: boolean): InputIssue | null => {
  if (typeof value === "string") {
    const message = texts ? badText(value) : null
    return message === null ? null : { path: "", message }
  }
  if (typeof value === "number") return Number.isFinite(value) ? null : { path: "", message: "must be a finite number" }
  if (typeof value !== "object" || value === null) return null
  return Array.isArray(value) ? badItem(value, texts) : badProperty(value as Readonly<Record<string, unknown>>, texts)
}

const badItem = (items: ReadonlyArray<unknown>, texts: boolean): InputIssue | null => {
  for (let index = 0; index < items.length; index++) {
    const issue = badValue(items[index], texts)
    if (issue !== null) return within(String(index), issue)
  }
  return null
}

// `in` finds own keys only: JSON makes plain objects.
const badProperty = (object: Readonly<Record<string, unknown>>, texts: boolean): InputIssue | null => {
  for (const key in object) {
    const message = texts ? badText(key) : null
    if (message !== null) return { path: "", message: `a key ${message}` }
    const issue = badValue(object[key], texts)
    if (issue !== null) return within(key, issue)
  }
  return null
}

const mendText = (text: string): string => text.replaceAll("\u0000", "\uFFFD").toWellFormed()

/** The value with U+FFFD for what PostgreSQL cannot store in texts and keys. */
const mendTexts = (value: unknown): unknown => {
  if (typeof value === "string") return mendText(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(mendTexts)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mendText(key), mendTexts(each)]))
}

/** What becomes of texts that PostgreSQL cannot store, those with NUL or half of a surrogate pair. */
type BadTexts = "refused" | "mended"

const parseJsonText = (text: string, badTexts: BadTexts): ParsedJson => {
  if (isTooDeep(text)) return makeIssue("must not be nested deeper than 32 levels")
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const fault = describeJsonFault(text)
    return makeIssue(text === "" ? "must be JSON: it is empty" : `must be JSON${fault === null ? "" : `: ${fault}`}`)
  }
  const texts = text.includes("\\u") && awkwardEscape.test(text)
  if (texts && badTexts === "mended") value = mendTexts(value)
  const issue = texts || hugeNumber.test(text) ? badValue(value, texts) : null
  return issue === null ? { value } : { issue }
}

// `fatal`: bytes that are not UTF-8 are an error instead of U+FFFD. `ignoreBOM` keeps the mark, so that the text is not JSON.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Parses JSON that keeps to the limits of [A9]: UTF-8 without a byte-order mark, 32 levels, finite numbers, well-formed strings and keys
 * without NUL. Where bad texts are mended, U+FFFD stands for NUL and for each half of a pair.
 */
export const parseJsonBytes = (bytes: Uint8Array, badTexts: BadTexts = "refused"): ParsedJson => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return makeIssue("must be UTF-8")
  }
  return parseJsonText(text, badTexts)
}
