import { Effect, Option, Schema, Struct } from "effect"
import { utcDay } from "../analytics/days.ts"
import type { ActiveDaysDb } from "../analytics/port.ts"
import { EngagementEvent } from "../events/event.ts"
import { isActivity } from "../events/event-names.ts"
import type { EventsDb } from "../events/port.ts"
import { NotFound } from "../failure.ts"
import { type ListQuery, readList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { Count, text } from "../schema.ts"
import { DeadLetter, type DeadLetterStatus } from "./dead-letter.ts"
import type { Dispatcher } from "./dispatcher.ts"
import type { BackgroundDb } from "./port.ts"

/** A dead letter as it is listed. */
export const DeadLetterView = Schema.Struct(Struct.omit(DeadLetter.fields, ["payload", "next_try_at"])).annotate({
  identifier: "DeadLetter",
})

/** A letter with what could not be handled: the event, or the payload of the entry. */
export const DeadLetterContent = Schema.Struct({
  ...DeadLetterView.fields,
  ...Struct.pick(DeadLetter.fields, ["payload", "next_try_at"]),
  event: Schema.NullOr(EngagementEvent),
}).annotate({ identifier: "DeadLetterContent" })

/** Which letters are to be tried again: those of a reaction, or all. */
export const RetryLetters = Schema.Struct({ reaction: Schema.optionalKey(text(1, 255)) }).annotate({
  identifier: "RetryLetters",
})

/** How many letters will be tried again. */
export const LettersRetried = Schema.Struct({ retrying: Count }).annotate({ identifier: "LettersRetried" })

/** Which letters are listed. */
export interface LetterQuery extends ListQuery {
  readonly status?: DeadLetterStatus | null
}

/** What could not be handled in a project, for its operators. */
export const makeDeadLetters = (
  { clock, tenants }: Pick<Ports<ActiveDaysDb & BackgroundDb & EventsDb>, "clock" | "tenants">,
  background: Pick<Dispatcher<BackgroundDb & EventsDb>, "transact">,
) => ({
  /** What could not be handled and was set aside, of a status or of all, the newest first (ADR 0004). */
  list: (projectId: string, { status = null, ...query }: LetterQuery) =>
    tenants.read(projectId, ({ deadLetters }) =>
      readList(query, {
        page: (slice) => deadLetters.page(status, slice),
        after: (place, slice) => deadLetters.listAfter(status, place, slice),
        place: ({ first_failed_at, id }) => ({ at: first_failed_at, id }),
      }),
    ),

  /** One that was set aside, with what could not be handled. `NOT_FOUND`. */
  find: (projectId: string, id: string) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        const letter = yield* orFail(db.deadLetters.find(id), NotFound)
        const events = letter.event_id === null ? [] : [letter.event_id]
        const [event = null] = yield* db.events.listByIds(events, { properties: true })
        return { ...letter, event }
      }),
    ),

  /** Has one that was set aside tried again at once, with all tries before it. Answers it as it is then. `NOT_FOUND`. */
  retry: Effect.fn("deadLetters.retry")((projectId: string, id: string) =>
    background.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* db.deadLetters.retry({ id }, clock.now())
        return yield* orFail(db.deadLetters.find(id), NotFound)
      }),
    ),
  ),

  /** Has all of a reaction tried again, in the order in which they failed; all of them where no reaction is named. */
  retryAll: Effect.fn("deadLetters.retryAll")(
    (projectId: string, { reaction = null }: { readonly reaction?: string | null }) =>
      background.transact(projectId, (db) =>
        Effect.map(db.deadLetters.retry({ reaction }, clock.now()), (retrying) => ({ retrying })),
      ),
  ),

  /**
   * Gives up one that was set aside: its event stays in the log, and its user was active then [G0.4, B12]. Nothing happens where
   * there is none.
   */
  remove: (projectId: string, id: string) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const letter = Option.getOrNull(yield* db.deadLetters.find(id))
        if (letter === null) return false
        const events = yield* db.events.listByIds(letter.event_id === null ? [] : [letter.event_id], {
          properties: false,
        })
        const active = events.filter(({ event_name }) => isActivity(event_name))
        yield* db.activeDays.add(
          active.map(({ app_user_id, occurred_at }) => ({ app_user_id, day: utcDay(occurred_at) })),
        )
        return yield* db.deadLetters.remove(id)
      }),
    ),
})
