import { isObject, isText } from "../schema.ts"
import { type EventEffect, eventEffects, type ProviderEvent } from "./provider-event.ts"

/** Whom an event names, by the provider's ids, in the order in which they are looked up [H2.2]. */
export interface NamedUsers {
  /** Of a transfer: who receives. */
  readonly named: ReadonlyArray<string>
  /** From whom a transfer takes; empty for others. */
  readonly sources: ReadonlyArray<string>
}

/** What a body says. `ignored` and `failed` have a sentence for developers. */
export type ParsedEvent =
  | { readonly kind: "ignored" | "failed"; readonly reason: string }
  | { readonly kind: "test" }
  | { readonly kind: "event"; readonly effect: EventEffect; readonly event: ProviderEvent; readonly users: NamedUsers }

type Fields = Readonly<Record<string, unknown>>

const longestText = 255
const mostEntitlements = 100
// A customer collects aliases for years; a transfer lists all of them.
const mostUsers = 1_000

/** A store outage is bridged for so long, whatever the event says. */
const temporaryMillis = 24 * 60 * 60_000

// What PostgreSQL stores and text in ISO-8601 can say, as in schema.ts.
const earliest = new Date("0002-01-01T00:00:00.000Z").getTime()
const latest = new Date("9999-12-31T23:59:59.999Z").getTime()

const isMissing = (value: unknown) => value === undefined || value === null

const readNumber = (value: unknown): number | null => {
  const number = typeof value === "string" && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : null
}

/** A text, or a number as text; null for anything else. */
const readText = (value: unknown): string | null => {
  if (typeof value === "number" && Number.isFinite(value)) return String(value)
  return isText(value, 1, longestText) ? value : null
}

const readLabel = (value: unknown): string | null => readText(value)?.toLowerCase() ?? null

/** Collects what is wrong with the fields that are needed. */
const makeReader = (fields: Fields) => {
  const problems: Array<string> = []
  return {
    problems,
    /** A field that may be missing or null, but must be an instant otherwise. */
    instant: (name: string): number | null => {
      if (isMissing(fields[name])) return null
      const millis = readNumber(fields[name])
      if (millis !== null && millis >= earliest && millis <= latest) return Math.floor(millis)
      problems.push(`${name} is no instant in milliseconds`)
      return null
    },
    /** A field that may be missing, null or empty, but must be an id otherwise. */
    id: (name: string): string | null => {
      if (isMissing(fields[name]) || fields[name] === "") return null
      const text = readText(fields[name])
      if (text === null) problems.push(`${name} is no text of 1 to ${longestText} characters`)
      return text
    },
    require: (name: string) => {
      if (isMissing(fields[name])) problems.push(`${name} is missing`)
    },
  }
}

type Reader = ReturnType<typeof makeReader>

const readEntitlements = (fields: Fields, { problems }: Reader): ReadonlyArray<string> | null => {
  const { entitlement_ids, entitlement_id } = fields
  // The provider's older field, for one.
  const given = entitlement_ids === undefined && !isMissing(entitlement_id) ? [entitlement_id] : entitlement_ids
  if (isMissing(given)) return null
  const isList = Array.isArray(given) && given.length <= mostEntitlements
  if (isList && given.every((id) => isText(id, 1, longestText))) return [...new Set<string>(given)]
  problems.push(`entitlement_ids is no list of at most ${mostEntitlements} texts of 1 to ${longestText} characters`)
  return null
}

const listIds = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value.slice(0, mostUsers) : [value]).flatMap((id) => readText(id) ?? [])

const readUsers = (fields: Fields, effect: EventEffect, { problems }: Reader): NamedUsers => {
  if (effect !== "transfer") {
    const { app_user_id, aliases, original_app_user_id } = fields
    const named = [...new Set([app_user_id, aliases, original_app_user_id].flatMap(listIds))].slice(0, mostUsers)
    if (named.length === 0) problems.push("it names no user")
    return { named, sources: [] }
  }
  for (const name of ["transferred_to", "transferred_from"]) {
    const list = fields[name]
    if (!Array.isArray(list) || listIds(list).length === 0) problems.push(`${name} is no list of ids`)
    else if (list.length > mostUsers) problems.push(`${name} has more than ${mostUsers} ids`)
  }
  const [named = [], sources = []] = [fields["transferred_to"], fields["transferred_from"]].map(listIds)
  return { named, sources }
}

const isRefund = ({ cancel_reason, price }: Fields, effect: EventEffect) =>
  effect === "cancel" && (cancel_reason === "CUSTOMER_SUPPORT" || (readNumber(price) ?? 0) < 0)

/** What stands for a missing `original_transaction_id`: whatever the periods of one subscription have in common. */
const nameSubscription = (original: string | null, transaction: string | null, product: string | null) =>
  original ?? transaction ?? `product:${product ?? ""}`

/**
 * Reads the body of a subscription webhook. Total: it answers for any JSON. Unknown fields are nothing, unknown types are
 * `ignored`; a type that is known, with a field that it needs and that cannot be used, is `failed`. Numbers may come as text.
 */
export const parseEvent = (payload: unknown): ParsedEvent => {
  const fields = isObject(payload) && isObject(payload["event"]) ? payload["event"] : {}
  const id = readText(fields["id"])
  const type = readText(fields["type"])
  if (id === null || type === null) return { kind: "ignored", reason: "The body has no event with an id and a type." }
  const effect = Object.hasOwn(eventEffects, type) ? eventEffects[type] : undefined
  if (effect === undefined) return { kind: "ignored", reason: "Events of this type do not change what users may use." }
  if (effect === "test") return { kind: "test" }
  return parseKnown(fields, { id, type, effect })
}

const parseKnown = (
  fields: Fields,
  { id, type, effect }: { readonly id: string; readonly type: string; readonly effect: EventEffect },
): ParsedEvent => {
  const read = makeReader(fields)
  read.require("event_timestamp_ms")
  const at = read.instant("event_timestamp_ms") ?? 0
  const users = readUsers(fields, effect, read)
  // What changes no grant by itself needs nothing else.
  const needed = effect === "transfer" || effect === "none" ? makeReader(fields) : read
  const transaction_id = needed.id("transaction_id")
  const product_id = readText(fields["product_id"])
  const expires = needed.instant("expiration_at_ms")
  const entitlement_ids = readEntitlements(fields, needed)
  // Without an end a subscription would never end. Only the provider's null says so.
  if (effect === "purchase" && type !== "NON_RENEWING_PURCHASE" && fields["expiration_at_ms"] === undefined)
    read.require("expiration_at_ms")
  const original = needed.id("original_transaction_id")
  const event: ProviderEvent = {
    ...{ id, type, at, transaction_id, product_id, entitlement_ids },
    subscription:
      effect === "temporary" ? `temp:${transaction_id ?? id}` : nameSubscription(original, transaction_id, product_id),
    ...{ store: readLabel(fields["store"]), period_type: readLabel(fields["period_type"]) },
    purchased_at: needed.instant("purchased_at_ms"),
    expiration_at: effect === "temporary" ? Math.min(expires ?? latest, at + temporaryMillis, latest) : expires,
    grace_until: needed.instant("grace_period_expiration_at_ms"),
    ...{ price: readNumber(fields["price"]), currency: readText(fields["currency"]) },
    is_refund: isRefund(fields, effect),
  }
  return read.problems.length > 0
    ? { kind: "failed", reason: `The event cannot be used: ${[...new Set(read.problems)].join(", ")}.` }
    : { kind: "event", effect, event, users }
}
