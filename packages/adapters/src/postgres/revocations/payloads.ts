import { isUuid } from "@hearth/core"

/** The channel of the control database on which processes tell each other what was revoked. The schema's triggers name it too. */
export const revocationChannel = "hearth_revocations"

// PostgreSQL takes fewer than 8,000 bytes in one notification; a uuid and a comma are 37.
const idsAtOnce = 200

const pingPrefix = "ping "

/** What a notification says. `unknown` is one of a later release. */
export type Heard =
  | { readonly kind: "revoked"; readonly ids: ReadonlyArray<string> }
  | { readonly kind: "ping"; readonly id: string }
  | { readonly kind: "unknown" }

/** The notifications that name these ids: as few as fit. What is no uuid is left out. */
export const writePayloads = (ids: Iterable<string>): ReadonlyArray<string> => {
  const uuids = [...ids].filter(isUuid)
  const payloads: Array<string> = []
  for (let from = 0; from < uuids.length; from += idsAtOnce) {
    payloads.push(uuids.slice(from, from + idsAtOnce).join(","))
  }
  return payloads
}

/** The notification with which a process finds out whether it hears. */
export const writePing = (id: string): string => `${pingPrefix}${id}`

/** Reads a notification. */
export const readPayload = (payload: string): Heard => {
  if (payload.startsWith(pingPrefix)) return { kind: "ping", id: payload.slice(pingPrefix.length) }
  const ids = payload.split(",")
  return ids.every(isUuid) ? { kind: "revoked", ids } : { kind: "unknown" }
}
