import { QualifyingEventRow, type QualifyingEvents } from "@hearth/core/streaks"
import type { Statements } from "../connections/statements.ts"
import { removeOfUser } from "../sql/remove-of-user.ts"
import { rowSet } from "../sql/row-set.ts"
import { instantKeys } from "./streak-keys.ts"

const given = rowSet(QualifyingEventRow)
const columns = given.columns.join(", ")
const key = "app_user_id, streak_definition_id, occurred_at"

// In the order of the key, so that two calls cannot wait for each other.
const add = `
  insert into qualifying_events as q (${columns}) select ${columns} from ${given.from(1)} order by ${key}
  on conflict (${key}) do update set events = q.events + excluded.events`

// The streaks are read one after the other, each from the primary key, until there are enough.
const list = `
  select found.* from ${instantKeys} cross join lateral (
    select ${columns} from qualifying_events q
    where q.app_user_id = k.app_user_id and q.streak_definition_id = k.streak_definition_id and q.occurred_at >= k.instant
    order by q.occurred_at limit $4
  ) as found limit $4`

// No zone is further from UTC than that, so only instants near a span are looked at. The key has no days.
const firstOfSpans = `
  select found.* from unnest($3::date[], $4::date[]) with ordinality as s (first, last, ordinal) cross join lateral (
    select ${columns} from qualifying_events q
    where q.app_user_id = $1 and q.streak_definition_id = $2 and q.day between s.first and s.last
      and q.occurred_at >= ((s.first - 2)::timestamp at time zone 'UTC')
      and q.occurred_at <= ((s.last + 3)::timestamp at time zone 'UTC')
    order by q.occurred_at limit $5
  ) as found order by s.ordinal, found.occurred_at`

/** What definitions have counted of the event log. */
export const makeQualifyingEvents = (statements: Statements): QualifyingEvents => ({
  add: (events) => statements.send(add, given.values(events)),
  list: (keys, limit) =>
    statements.rows<QualifyingEventRow>(list, [
      keys.map(({ app_user_id }) => app_user_id),
      keys.map(({ streak_definition_id }) => streak_definition_id),
      keys.map(({ from }) => from.toISOString()),
      limit,
    ]),
  firstOfSpans: ({ app_user_id, streak_definition_id }, spans, limit) =>
    statements.rows<QualifyingEventRow>(firstOfSpans, [
      app_user_id,
      streak_definition_id,
      spans.map(({ from }) => from),
      spans.map(({ through }) => through),
      limit,
    ]),
  removeSome: (userId, limit) => removeOfUser(statements, "qualifying_events", userId, limit),
})
