import type { Clock, EngagementEvent, Outbox, OutboxEntry } from "@hearth/core"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

// "hear", "outb". Locks of this kind are known in one database only.
const lock = "pg_advisory_xact_lock(1751474546, 1869968482)"

// Not joined to a list with their places: for that the server would read a log of middling size from end to end.
const eventsById = `
  select id, app_user_id, event_name, properties, occurred_at from engagement_events where id = any($1::uuid[])`

/** The outbox of a project. */
export const makeOutbox = (statements: Statements, clock: Clock): Outbox => ({
  hold: () => Effect.asVoid(statements.rows(`select ${lock}`)),
  next: Effect.fnUntraced(function* (maxEvents) {
    const stored = yield* statements.rows<OutboxEntry & { readonly event_ids: ReadonlyArray<string> }>(
      `select id, topic, subject, created_at, event_ids from (
         select *, row_number() over oldest_first as place, sum(cardinality(event_ids)) over oldest_first as events
         from (select * from outbox order by id limit greatest($1::int, 1)) as waiting
         window oldest_first as (order by id)
       ) as counted
       where place = 1 or events <= $1 order by id`,
      [maxEvents],
    )
    const ids = stored.flatMap((entry) => entry.event_ids)
    const found = ids.length === 0 ? [] : yield* statements.rows<EngagementEvent>(eventsById, [ids])
    const events = new Map(found.map((event) => [event.id, event]))
    return {
      entries: stored.map(({ event_ids: _, ...entry }) => entry),
      events: ids.map((id) => events.get(id)).filter((event) => event !== undefined),
    }
  }),
  add: (topic, subject) =>
    Effect.asVoid(
      statements.rows(`insert into outbox (topic, event_ids, subject, created_at) values ($1, '{}', $2, $3)`, [
        topic,
        JSON.stringify(subject),
        clock.now(),
      ]),
    ),
  remove: (ids) => Effect.asVoid(statements.rows(`delete from outbox where id = any($1::bigint[])`, [ids])),
  waiting: () =>
    Effect.map(
      statements.rows<{ readonly entries: number; readonly oldest: Date | null }>(
        `select count(*)::int as entries, min(created_at) as oldest from outbox`,
      ),
      ([row]) => row ?? { entries: 0, oldest: null },
    ),
})
