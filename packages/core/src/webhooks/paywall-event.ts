import { isObject, isText, type JsonObject } from "../schema.ts"

/** What a webhook of the paywall provider says, as far as it can be used [H3.1]. */
export interface PaywallEvent {
  /** The provider's id of the event; null where it has none. */
  readonly id: string | null
  /** The name of the event at the provider; null where it has none. */
  readonly type: string | null
  /** Whom it concerns, by the provider's id; null where it names nobody. */
  readonly provider_user_id: string | null
}

/** The parts of a message that its signature covers. `id` is null where the scheme has none. */
export interface PaywallMessage {
  readonly scheme: "hex" | "standard"
  readonly id: string | null
}

// Of the log, and of ids.
const longest = 255

const readText = (...values: ReadonlyArray<unknown>): string | null =>
  values.find((value): value is string => typeof value === "string" && value !== "") ?? null

const readId = (...values: ReadonlyArray<unknown>): string | null =>
  values
    .map((value) => (typeof value === "number" ? String(value) : value))
    .find((value): value is string => isText(value, 1, longest)) ?? null

/**
 * Reads a body. The id is that of the signed message, else `data.id`. In the scheme `standard`, `type` stands for a missing `event`,
 * and `data.originalAppUserId` for `user_id` [H3.1].
 */
export const readPaywallEvent = (body: JsonObject, { scheme, id }: PaywallMessage): PaywallEvent => {
  const data: Readonly<Record<string, unknown>> = isObject(body["data"]) ? body["data"] : {}
  const isStandard = scheme === "standard"
  return {
    id: readId(id, data["id"]),
    type: readText(body["event"], isStandard ? body["type"] : null),
    provider_user_id: readText(body["user_id"], isStandard ? data["originalAppUserId"] : null),
  }
}

/** The name in the log of an event of the provider: cut at the length that the log takes, never inside of a character. */
export const nameEvent = (type: string): string => {
  const name = `paywall_${type}`.slice(0, longest)
  return name.isWellFormed() ? name : name.slice(0, -1)
}
