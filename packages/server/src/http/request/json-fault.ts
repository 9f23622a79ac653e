/** What is expected where a text stops being JSON. Never what is there: it may be a secret. */
interface Fault {
  readonly at: number
  readonly expected: string
}

const isBlank = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b && code !== 0x0c)

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y

const matchAt = (pattern: RegExp, text: string, at: number): number | null => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

/** The position after a string that begins at `start`, or its fault. */
const skipString = (text: string, start: number): number | Fault => {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return { at, expected: "the end of a string, without a line break or control character before it" }
    if (code === 0x5c) {
      const end = matchAt(escapeSequence, text, at)
      if (end === null) return { at, expected: "an escape that JSON has" }
      at = end
    } else at += 1
  }
  return { at, expected: 'the end of a string, which is "' }
}

/** The position after a string, number, true, false or null, or its fault. */
const skipScalar = (text: string, at: number): number | Fault => {
  if (text[at] === '"') return skipString(text, at)
  const end = matchAt(literal, text, at)
  if (end === null) return { at, expected: "a value" }
  return /[\w.+-]/.test(text[end] ?? "") ? { at: end, expected: "the end of a value" } : end
}

const closing = { "{": "}", "[": "]" } as const
type Next = "value" | "value or ]" | "key" | "key or }" | "colon" | "end"

/** Where a text that is no JSON stops being it. It is read once, without recursion. */
const findFault = (text: string): Fault | null => {
  const open: Array<keyof typeof closing> = []
  let next: Next = "value"
  let at = 0
  for (;;) {
    while (isBlank(text.charCodeAt(at))) at += 1
    const character = text[at]
    const inside = open.at(-1)
    if (next === "end") {
      if (inside === undefined) return at < text.length ? { at, expected: "nothing more" } : null
      if (character === ",") next = inside === "{" ? "key" : "value"
      else if (character === closing[inside]) open.pop()
      else return { at, expected: `a comma or ${closing[inside]}` }
      at += 1
    } else if (next === "colon") {
      if (character !== ":") return { at, expected: "a colon" }
      next = "value"
      at += 1
    } else if ((next === "key or }" && character === "}") || (next === "value or ]" && character === "]")) {
      open.pop()
      next = "end"
      at += 1
    } else if (next.startsWith("value") && (character === "{" || character === "[")) {
      open.push(character)
      next = character === "{" ? "key or }" : "value or ]"
      at += 1
    } else {
      const isKey = next.startsWith("key")
      if (isKey && character !== '"') return { at, expected: "a key in double quotes" }
      const end = skipScalar(text, at)
      if (typeof end === "object") return end
      next = isKey ? "colon" : "end"
      at = end
    }
  }
}

/** Says where a text stops being JSON and what is expected there: `line 2, column 8: expected a comma or }`; null for JSON. */
export const describeJsonFault = (text: string): string | null => {
  const fault = findFault(text)
  if (fault === null) return null
  const before = text.slice(0, fault.at).split("\n")
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: expected ${fault.expected}`
}
