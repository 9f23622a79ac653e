import { type FailureKind, Forbidden, InvalidInput, QuotaExceeded } from "@hearth/core"
import { AlreadyUploaded, FileTooLarge, OtherMediaType, StorageUnavailable } from "@hearth/core/media"
import { filesPattern } from "../http/files/files.ts"
import { statusOf } from "../http/response/errors.ts"
import {
  ExpectationFailed,
  HeadersTooLarge,
  MethodNotAllowed,
  RequestTimeout,
  ServiceStopping,
} from "../http/response/failures.ts"
import { findRemedy } from "../http/response/remedies.ts"
import type { Route } from "../http/routing/route.ts"
import { routeFailures } from "../http/routing/route-failures.ts"
import { table } from "./fields.ts"

const kinds: Readonly<Record<FailureKind, true>> = {
  invalid: true,
  unauthenticated: true,
  payment_required: true,
  forbidden: true,
  not_found: true,
  conflict: true,
  too_large: true,
  rate_limited: true,
  internal: true,
  upstream: true,
  unavailable: true,
}
const kindOfStatus = new Map(
  (Object.keys(kinds) as Array<FailureKind>).map((kind) => [statusOf({ kind, code: "" }), kind]),
)

interface Entry {
  readonly code: string
  readonly status: number
  readonly sentences: Set<string>
  readonly routes: Set<string>
}

// No route answers these: a path does not have the method, the service stops, or what comes is no whole request.
const everywhere = [MethodNotAllowed, ServiceStopping, ExpectationFailed, HeadersTooLarge, RequestTimeout]

// An upload has an address of its own, beside the routes.
const uploadRefusals = [
  InvalidInput,
  Forbidden,
  AlreadyUploaded,
  QuotaExceeded,
  FileTooLarge,
  OtherMediaType,
  StorageUnavailable,
]

const nameOf = <Core>({ method, path }: Route<Core>) => `${method} ${path}`

const entriesOf = <Core>(routes: ReadonlyArray<Route<Core>>): ReadonlyArray<Entry> => {
  const entries = new Map<string, Entry>()
  const entryOf = (code: string, status: number, sentence: string): Entry => {
    const key = `${code} ${status}`
    const entry = entries.get(key) ?? { code, status, sentences: new Set(), routes: new Set() }
    entries.set(key, entry)
    entry.sentences.add(sentence)
    return entry
  }
  for (const route of routes) {
    for (const [status, codes] of routeFailures(route)) {
      for (const [code, sentence] of codes) entryOf(code, status, sentence).routes.add(nameOf(route))
    }
  }
  for (const refusal of everywhere) entryOf(refusal.code, statusOf(refusal), refusal.sentence)
  for (const refusal of uploadRefusals) {
    entryOf(refusal.code, statusOf(refusal), refusal.sentence).routes.add(`PUT ${filesPattern}`)
  }
  return [...entries.values()].sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : a.status - b.status))
}

/** What a caller does about a code. */
const remedyOf = ({ code, status }: Entry): string => {
  const remedy = findRemedy(code, status)
  if (remedy === null) throw new Error(`What to do about ${code} ${status} is not known.`)
  return remedy
}

const joinNames = (names: Iterable<string>): string => [...names].map((name) => `\`${name}\``).join(", ")

const describeRoutes = ({ routes }: Entry, all: ReadonlyArray<string>): string => {
  const others = all.filter((name) => !routes.has(name))
  if (routes.size === 0) return "every path"
  if (others.length === 0) return "every route"
  return others.length < routes.size ? `every route but ${joinNames(others)}` : joinNames(routes)
}

const head = `# Errors

Written by \`pnpm generate\` from the routes in \`packages/server/src/routes\`.

Codes are stable and made for programs; sentences may change. A path that does not exist is 404 \`NOT_FOUND\`, a path that
does not have the method is 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`. 429 and 503 come with \`Retry-After\`. What is no
HTTP at all (an unknown method, no \`Host\`, a character that may not stand there) is 400 \`INVALID_INPUT\`.`

/** The text of `docs/errors.md`: every code with its status, its kind, its sentence and the routes that answer it. */
export const renderErrorsPage = <Core>(routes: ReadonlyArray<Route<Core>>): string => {
  const all = routes.map(nameOf)
  const lines = entriesOf(routes).map((entry) => [
    `\`${entry.code}\``,
    String(entry.status),
    // 405, 408, 415, 417 and 431 have no kind in the core; they are mistakes of the caller.
    kindOfStatus.get(entry.status) ?? "invalid",
    [...entry.sentences].join(" / "),
    remedyOf(entry),
    describeRoutes(entry, all),
  ])
  return `${head}\n\n${table(["Code", "Status", "Kind", "Sentence", "What to do", "Answered by"], lines)}\n`
}
