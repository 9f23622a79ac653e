import { Schema } from "effect"
import { text } from "./schema.ts"

/** The address that `value` names, as it is written: without blanks, control characters and what a parser would correct. */
export const parseAddress = (value: string): URL | null =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\s\u0000-\u001f\u007f\\]/.test(value) || !URL.canParse(value) ? null : new URL(value)

/** Whether `value` is an absolute address of the web. */
export const isWebAddress = (value: string): boolean => {
  const url = parseAddress(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" && /^https?:\/\//i.test(value)
}

/** An http(s) address of at most 2,048 characters, as clients store them [I0.2]. */
export const WebUrl = text(1, 2_048).check(
  Schema.makeFilter((value: string) => isWebAddress(value) || "must be an http(s) address"),
)
