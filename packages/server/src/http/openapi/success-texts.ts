import { eventStreamType } from "../response/event-stream.ts"
import type { Route } from "../routing/route.ts"
import { type Json, readReference } from "./plain-schemas.ts"
import { answerTexts, recordTexts } from "./texts/records.ts"

/** The text about the record that a schema refers to, or about each that it may be. */
const textOf = (schema: Json = {}): string | undefined => {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return recordTexts[readReference(schema) ?? ""]
  const texts = anyOf.map(textOf).filter((text) => text !== undefined)
  return texts.length === 0 ? undefined : texts.join(" Or: ")
}

const textOfBody = (schema: Json): string | undefined => {
  const own = textOf(schema)
  if (own !== undefined) return own
  const { data } = (schema["properties"] ?? {}) as Readonly<Record<string, Json>>
  if (data?.["type"] !== "array") return textOf(data)
  const each = textOf(data["items"] as Json)
  return each === undefined ? undefined : `Each entry: ${each}`
}

const beginnings: Readonly<Record<number, string>> = { 200: "It was there already. ", 201: "It is new. " }

/** What a success means: which record it has, and whether that is one, a list, a page or a file. */
export const describeSuccess = <Core>({ options }: Route<Core>, status: number, schema: Json | null): string => {
  const { statuses, types, paged, redirects } = options.returns
  if (redirects) return "The address in `Location` is where to go. There is no body."
  if (types.includes(eventStreamType)) return "Events, sent as they happen, until one says that the stream ends."
  if (types.length > 0) return "The file, sent while it is made."
  if (schema === null) return "It is done. There is no body."
  const text = answerTexts[options.id] ?? textOfBody(schema) ?? "It is done."
  if (paged) return `One page; \`total\` counts all that fit. ${text}`
  return statuses.length > 1 ? `${beginnings[status] ?? ""}${text}` : text
}
