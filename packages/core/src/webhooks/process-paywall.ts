import { Effect, Option } from "effect"
import type { EventsDb } from "../events/port.ts"
import type { Ids } from "../ports/ids.ts"
import type { UsersDb } from "../users/port.ts"
import { findNamed } from "./find-named.ts"
import type { InboxEntry } from "./inbox-entry.ts"
import { nameEvent } from "./paywall-event.ts"
import type { WebhooksDb } from "./port.ts"
import type { ProcessEntry, ProcessedEntry } from "./processor.ts"
import { resolveUsers } from "./resolve-users.ts"

/** What processing a webhook of the paywall needs of a project's database. */
export type PaywallDb = EventsDb & UsersDb & WebhooksDb

/** What is read of an entry. */
type Received = Pick<InboxEntry, "id" | "event_type" | "provider_user_id" | "payload" | "received_at" | "app_user_id">

/** Why a webhook is ignored; null where it is not. */
export const findOmission = ({ event_type, provider_user_id }: Pick<Received, "event_type" | "provider_user_id">) => {
  if (event_type === null) return "The body has no event."
  return provider_user_id === null ? "The body has no user_id." : null
}

/**
 * The user whom an entry concerns, locked against removal; null where there is none. Whom it was found to concern once it concerns
 * for good [H2.2].
 */
export const lockPaywallUser = Effect.fnUntraced(function* (
  db: PaywallDb,
  { provider_user_id, app_user_id }: Pick<Received, "provider_user_id" | "app_user_id">,
) {
  const name = provider_user_id ?? ""
  const userId = app_user_id ?? (yield* resolveUsers(db, [name])).get(name)
  if (userId === undefined) return null
  const found = yield* db.users.lock(userId, "key share")
  return Option.isSome(found) ? userId : null
})

/** Writes the event of an entry into the log, once however often it is asked for [H3.1]. */
export const writePaywallEvent = (db: PaywallDb, { ids }: { readonly ids: Ids }, entry: Received, userId: string) =>
  db.events.insertCaused([
    {
      id: ids.uuid(),
      app_user_id: userId,
      event_name: nameEvent(entry.event_type ?? ""),
      properties: entry.payload ?? {},
      occurred_at: entry.received_at,
      cause_key: `webhooks/${entry.id}/paywall`,
    },
  ])

const unknownUser = "The project has no such user."

/** What an entry is whose user is not there. */
export const unresolved = { status: "unresolved", error: unknownUser, user_ids: [] } as const satisfies ProcessedEntry

/**
 * Processes an entry of the paywall: one that is replayed, whose event could not be written when it came in, or whose user has
 * appeared.
 */
export const makeProcessPaywall =
  <Db extends PaywallDb>(ports: { readonly ids: Ids }): ProcessEntry<Db> =>
  (db, entry) =>
    Effect.gen(function* () {
      const omission = findOmission(entry)
      if (omission !== null)
        return { status: "ignored", error: omission, user_ids: yield* findNamed(db, entry) } as const
      const userId = yield* lockPaywallUser(db, entry)
      if (userId === null) return unresolved
      yield* writePaywallEvent(db, ports, entry, userId)
      return { status: "processed", error: null, user_ids: [userId] } as const
    })
