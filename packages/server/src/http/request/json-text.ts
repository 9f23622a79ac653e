/** Something that is wrong with a body, and where. */
export interface Issue {
  /** Keys and indexes with dots between; empty for the whole. */
  readonly path: string
  readonly message: string
}

/** A JSON value, or what is wrong with the text. */
export type ParsedJson = { readonly value: unknown } | { readonly issue: Issue }

// A browser's stack and PostgreSQL's jsonb both give up on deep nesting; the limit is the same for all bodies [A9].
const maxDepth = 32

const makeIssue = (message: string, path = ""): ParsedJson => ({ issue: { path, message } })

/** Whether the brackets of a JSON text nest deeper than 32 levels. The outermost is level 1. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 0x5c) index++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

// Only a text with one of these can hold NUL, half of a surrogate pair or a number that is not finite:
// an escape of one of the former, an exponent of three digits, or a great many digits.
const suspicious = /\\u0000|\\u[dD][89a-fA-F]|[eE]\+?\d{3}|\d{200}/

const badText = (text: string): string | null => {
  if (text.includes("\u0000")) return "must not contain NUL"
  return text.isWellFormed() ? null : "must be well-formed Unicode"
}

const badValue = (value: unknown, path: string): Issue | null => {
  if (typeof value === "string") {
    const message = badText(value)
    return message === null ? null : { path, message }
  }
  if (typeof value === "number") return Number.isFinite(value) ? null : { path, message: "must be a finite number" }
  if (typeof value !== "object" || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const message = badText(key)
    if (message !== null) return { path, message: `a key ${message}` }
    const issue = badValue(inner, path === "" ? key : `${path}.${key}`)
    if (issue !== null) return issue
  }
  return null
}

const parseJsonText = (text: string): ParsedJson => {
  if (isTooDeep(text)) return makeIssue("must not be nested deeper than 32 levels")
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return makeIssue("must be JSON")
  }
  const issue = suspicious.test(text) ? badValue(value, "") : null
  return issue === null ? { value } : { issue }
}

// `fatal`: bytes that are not UTF-8 are an error instead of U+FFFD. `ignoreBOM` keeps the mark, so that the text is not JSON.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Parses JSON that keeps to the limits of [A9]: UTF-8 without a byte-order mark, 32 levels, finite numbers, well-formed strings and keys
 * without NUL.
 */
export const parseJsonBytes = (bytes: Uint8Array): ParsedJson => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return makeIssue("must be UTF-8")
  }
  return parseJsonText(text)
}
