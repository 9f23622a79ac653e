import type { Clock, JsonObject } from "@hearth/core"
import type { Outbox, OutboxContent, OutboxEntry, OutboxEvents, OutboxHead } from "@hearth/core/background"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { readEventsByIds } from "../events/read-events.ts"

// "hear", "outb". Locks of this kind are known in one database only.
const [lock, tryLock] = ["pg_advisory_xact_lock", "pg_try_advisory_xact_lock"].map(
  (name) => `${name}(1751474546, 1869968482)`,
)

interface Waiting extends OutboxEntry {
  readonly event_ids: ReadonlyArray<string>
  readonly bytes: number
}

// Entries of topics that nobody here serves are passed over. One that is too large alone is taken all the same.
const oldest = `
  select id, topic, payload, created_at, event_ids, bytes from (
    select *, row_number() over oldest_first as position,
      sum(cardinality(event_ids)) over oldest_first - cardinality(event_ids) as events_before,
      sum(bytes) over oldest_first as bytes_through
    from (
      select * from outbox where topic = 'events' or topic = any($1::text[]) order by id limit greatest($2::int, 1)
    ) as waiting
    window oldest_first as (order by id)
  ) as counted
  where position = 1 or (events_before < $2 and bytes_through <= $3) order by id`

// In the order of the index, which knows what was handled and is not vacuumed yet.
const look = `
  select case
    when exists (select from outbox where topic = 'events' or topic = any($1::text[]) order by id limit 1) then 'served'
    when exists (select from outbox order by id limit 1) then 'others'
    else 'nothing'
  end as content`

// Looks at a bounded part of it, so that a call costs the same however much waits.
// Materialised, so that it costs what waits and not what the user has ever sent.
const eventsOf = `
  with waiting as materialized (
    select app_user_id, event_name from engagement_events where id = any(array(
      select unnest(event_ids) from (
        select event_ids from outbox where topic = 'events' order by id limit 1000
      ) as entries limit 1000
    ))
  )
  select exists (select from waiting where app_user_id = $1 and event_name <> all($2::text[])) as found`

/** The entries with events from the first on, up to the first of another topic. */
const leadingEvents = (waiting: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
  const end = waiting.findIndex(({ topic }) => topic !== "events")
  return end === -1 ? waiting : waiting.slice(0, end)
}

/** So many events of these entries, the oldest first. */
const takeEvents = (entries: ReadonlyArray<Waiting>, limit: number) => {
  let left = Math.max(1, limit)
  const taken: Array<{ readonly entry_id: string; readonly count: number }> = []
  const ids: Array<string> = []
  for (const { id, event_ids } of entries) {
    const part = event_ids.slice(0, left)
    taken.push({ entry_id: id, count: part.length })
    ids.push(...part)
    left -= part.length
    if (left === 0) break
  }
  return { taken, ids }
}

const removeTaken = (statements: Statements, { taken }: OutboxEvents) =>
  Effect.asVoid(
    statements.rows(
      `with taken as (
         select * from unnest($1::bigint[], $2::int[]) as given (entry_id, count)
       ), emptied as (
         delete from outbox o using taken t where o.id = t.entry_id and cardinality(o.event_ids) <= t.count
       )
       update outbox o set event_ids = o.event_ids[t.count + 1:] from taken t
       where o.id = t.entry_id and cardinality(o.event_ids) > t.count`,
      [taken.map(({ entry_id }) => entry_id), taken.map(({ count }) => count)],
    ),
  )

const pick = (payload: JsonObject, keys: ReadonlyArray<string>) =>
  JSON.stringify(Object.fromEntries(keys.map((key) => [key, payload[key]])))

const addEntry = `insert into outbox (topic, event_ids, payload, bytes, created_at) values ($1, '{}', $2, $3, $4)`

/** The outbox of a project. */
export const makeOutbox = (statements: Statements, clock: Clock): Outbox => ({
  hold: () => Effect.asVoid(statements.lock("hold", `select ${lock}`, [])),
  tryHold: () =>
    Effect.map(
      statements.lock<{ readonly held: boolean }>("try-hold", `select ${tryLock} as held`, []),
      ([row]) => row?.held === true,
    ),
  next: Effect.fnUntraced(function* ({ events, bytes, topics, properties }) {
    const waiting = yield* statements.rows<Waiting>(oldest, [topics, events, bytes])
    const [first] = waiting
    if (first === undefined) return null
    if (first.topic !== "events") {
      const { id, topic, payload, created_at } = first
      return { kind: "entry", entry: { id, topic, payload, created_at } } satisfies OutboxHead
    }
    const { taken, ids } = takeEvents(leadingEvents(waiting), events)
    const found = yield* readEventsByIds(statements, ids, properties)
    return { kind: "events", events: found, taken, created_at: first.created_at } satisfies OutboxHead
  }),
  remove: (head) =>
    head.kind === "events"
      ? removeTaken(statements, head)
      : Effect.asVoid(statements.rows(`delete from outbox where id = $1`, [head.entry.id])),
  hasEventsOf: (userId, except) =>
    Effect.map(
      statements.lock<{ readonly found: boolean }>("outbox-events-of-user", eventsOf, [userId, except]),
      ([row]) => row?.found === true,
    ),
  add: (topic, payload) =>
    statements.send(addEntry, [topic, JSON.stringify(payload), JSON.stringify(payload).length, clock.now()]),
  replace: (topic, payload, same) =>
    Effect.asVoid(
      statements.rows(`with gone as (delete from outbox where topic = $1 and payload @> $5::jsonb) ${addEntry}`, [
        topic,
        JSON.stringify(payload),
        JSON.stringify(payload).length,
        clock.now(),
        pick(payload, same),
      ]),
    ),
  look: (topics) =>
    Effect.map(
      statements.prepared<{ readonly content: OutboxContent }>("look-at-outbox", look, [topics]),
      ([row]) => row?.content ?? "nothing",
    ),
  waiting: () =>
    Effect.map(
      statements.rows<{ readonly entries: number; readonly oldest: Date | null }>(
        `select count(*)::int as entries, min(created_at) as oldest from outbox`,
      ),
      ([row]) => row ?? { entries: 0, oldest: null },
    ),
})
