import type { Engagement } from "@hearth/core"
import type { Example } from "../../src/http/openapi/examples.ts"
import type { Route } from "../../src/http/routing/route.ts"

/** A call that a journey made, as it was sent and answered. */
export interface RecordedCall {
  readonly id: string
  readonly request: unknown
  readonly status: number
  readonly answer: unknown
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Of a file, the beginning.
    return text === "" ? undefined : `${text.split("\n").slice(0, 2).join("\n")}\n`
  }
}

/** A call of a route. A body that is no JSON is kept as text, an empty one not at all. */
export const recordCall = (
  { options }: Pick<Route<Engagement>, "options">,
  body: unknown,
  status: number,
  text: string,
): RecordedCall => ({
  id: options.id,
  request: options.body === undefined ? undefined : typeof body === "string" ? parse(body) : (body ?? undefined),
  status,
  answer: parse(text),
})

// The moment at which all examples happen.
const moment = Date.parse("2026-01-15T10:00:00.000Z")
const minute = 60_000
const day = 1_440 * minute

const hidden: Readonly<Record<string, string>> = {
  ...{ session_token: "<SESSION_TOKEN>", refresh_token: "<REFRESH_TOKEN>", access_token: "<DEV_TOKEN>" },
  ...{ client_api_key: "<CLIENT_API_KEY>", key: "<CLIENT_API_KEY>", webhook_secret: "<WEBHOOK_SECRET>" },
  ...{ password: "correct horse battery staple", private_key: "<PRIVATE_KEY>", token: "<TOKEN>" },
}
const isSecret = (name: string, text: string): boolean =>
  name !== "key" || text.startsWith("pk_") ? Object.hasOwn(hidden, name) : false

/** Replaces what is another at every run: ids, times, addresses, tokens. The same id becomes the same again. */
const makeNormalise = (now: number) => {
  const ids = new Map<string, string>()
  const idFor = (id: string): string => {
    const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`
    ids.set(id, known)
    return known
  }
  const shift = (text: string): string => {
    const at = moment + Math.round((Date.parse(text) - now) / minute) * minute
    return Number.isNaN(at) ? text : new Date(at).toISOString()
  }
  const shiftDay = (text: string): string =>
    new Date(moment + Math.floor((Date.parse(text) - now) / day + 1) * day).toISOString().slice(0, 10)
  const normaliseText = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, idFor)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, shift)
      .replaceAll(/\b20\d\d-\d\d-\d\d\b(?!T)/g, shiftDay)
      .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<TOKEN>")
      .replaceAll(/[\w+-]+@example\.com/g, "ada@example.com")
      .replaceAll(/https?:\/\/(hearth\.test|127\.0\.0\.1:\d+|localhost:\d+)/g, "https://api.example.com")
      .replaceAll(/([?&](?:signature|expires|token)=)[\w%.-]+/g, "$1…")
      .slice(0, 400)
  const normalise = (value: unknown, name = ""): unknown => {
    if (typeof value === "string") return isSecret(name, value) ? hidden[name] : normaliseText(value)
    if (Array.isArray(value)) return value.slice(0, 2).map((one) => normalise(one))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normalise(inner, key)]))
  }
  return normalise
}

const isEmptyList = (answer: unknown): boolean =>
  typeof answer === "object" &&
  answer !== null &&
  "data" in answer &&
  Array.isArray(answer.data) &&
  answer.data.length === 0

/**
 * The examples of the calls of journeys, by the id of the operation: of each the first that is not an empty list, and the first of
 * each other status.
 */
export const makeExamples = (calls: ReadonlyArray<RecordedCall>): Readonly<Record<string, Example>> => {
  const answersBy = (id: string) =>
    new Map(
      calls
        .filter((call) => call.id === id)
        .map(({ status, answer }) => [String(status), answer] as const)
        .reverse(),
    )
  const chosen = new Map<string, RecordedCall>()
  for (const call of calls) {
    const known = chosen.get(call.id)
    if (known === undefined || (isEmptyList(known.answer) && !isEmptyList(call.answer))) chosen.set(call.id, call)
  }
  const now = Date.now()
  return Object.fromEntries(
    [...chosen.values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, request, status, answer }) => {
        const normalise = makeNormalise(now)
        const others = [...answersBy(id)].filter(([other]) => other !== String(status))
        return [
          id,
          {
            ...(request === undefined ? undefined : { request: normalise(request) }),
            status,
            ...(answer === undefined ? undefined : { answer: normalise(answer) }),
            ...(others.length === 0
              ? undefined
              : { others: normalise(Object.fromEntries(others)) as Record<string, unknown> }),
          },
        ]
      }),
  )
}

/** The names of all fields in a value, with where they are. What may be missing or empty at another run is not looked into. */
export const listFields = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((one) => listFields(one, `${path}[]`))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [`${path}.${name}`, ...listFields(inner, `${path}.${name}`)])
}
