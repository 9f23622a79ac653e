import type {
  CountedEvents,
  EngagementEvent,
  EventBucket,
  EventFilter,
  EventPosition,
  Events,
} from "@hearth/core/events"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { makeBindings } from "../sql/bindings.ts"
import { cutPage, jsonBytes, type Measured, readCut } from "../sql/cut-page.ts"

const columns = `id, app_user_id, event_name, properties, occurred_at`

/** Only the given filters are in the statement, so that the planner can choose an index. */
const matching = ({ since, until, event_name, app_user_id }: EventFilter) => {
  const { bind, values } = makeBindings()
  const conditions = [`occurred_at >= ${bind(since, "timestamptz")}`]
  if (until !== null) conditions.push(`occurred_at < ${bind(until, "timestamptz")}`)
  if (event_name !== undefined) conditions.push(`event_name = ${bind(event_name, "text")}`)
  if (app_user_id !== undefined) conditions.push(`app_user_id = ${bind(app_user_id, "uuid")}`)
  return { bind, values, conditions }
}

// Not joined to a list with their order: for that the server would scan a log of medium size.
const byIds = (properties: string) =>
  `select id, app_user_id, event_name, ${properties} as properties, occurred_at
   from engagement_events where id = any($1::uuid[])`

/** Those of the events that exist, in the order of the ids. */
export const readEventsByIds = (
  statements: Statements,
  ids: ReadonlyArray<string>,
  properties: boolean,
): Effect.Effect<ReadonlyArray<EngagementEvent>> => {
  if (ids.length === 0) return Effect.succeed([])
  const found = statements.rows<EngagementEvent>(byIds(properties ? "properties" : "'{}'::jsonb"), [ids])
  return Effect.map(found, (events) => {
    const known = new Map(events.map((event) => [event.id, event]))
    return ids.map((id) => known.get(id.toLowerCase())).filter((event) => event !== undefined)
  })
}

// Of each instant the events of the name, and only where there are none, others: a definition may have counted another name.
const listAt = `
  select found.* from (select distinct unnest($2::timestamptz[])) as at (instant) cross join lateral (
    select id, app_user_id, event_name, '{}'::jsonb as properties, occurred_at,
      rank() over (order by event_name <> $3) as choice
    from engagement_events where app_user_id = $1 and occurred_at = at.instant
  ) as found where choice = 1 order by occurred_at, id`

/** The events of a user at instants, as the port says. */
export const readEventsAt = (
  statements: Statements,
  userId: string,
  instants: ReadonlyArray<Date>,
  name: string,
  limit: number,
): Effect.Effect<ReadonlyArray<EngagementEvent>> => {
  if (instants.length === 0) return Effect.succeed([])
  const limited = `select id, app_user_id, event_name, properties, occurred_at from (
      select *, row_number() over (partition by occurred_at order by id) as place from (${listAt}) as ranked
    ) as placed where place <= $4 order by occurred_at, id`
  return statements.rows<EngagementEvent>(limited, [userId, instants.map((at) => at.toISOString()), name, limit])
}

const keyOf = {
  day: { key: "(occurred_at at time zone 'UTC')::date", order: "key" },
  event_name: { key: "event_name", order: "count desc, key" },
} as const

const newestFirst = "occurred_at desc, id desc"

// Joined from the total, so that there is one also where the page is past the end.
const pageOfUser = `
  with total as (
    select count(*) as total from engagement_events where app_user_id = $1
  ), page as (
    select ${columns} from engagement_events where app_user_id = $1 order by ${newestFirst} limit $2 offset $3
  ), cut as (${cutPage("select * from page", newestFirst, jsonBytes("properties"))})
  select total, cut.* from total left join cut on true order by ${newestFirst}`

/**
 * A page of the tail. Whole rows are compared, the user or name first, so that their index is read in its order: where one of them
 * has a good part of the log, the server would take the index of time alone, and read past all the newer events of others.
 */
const pageOfTail = (filter: EventFilter, after: EventPosition | null, limit: number) => {
  const { since, until, event_name, app_user_id } = filter
  const { bind, values } = makeBindings()
  const name = event_name === undefined ? null : bind(event_name, "text")
  const [column, value] = app_user_id === undefined ? ["event_name", name] : ["app_user_id", bind(app_user_id, "uuid")]
  const [owner, owned] = value === null ? ["", ""] : [`${column}, `, `${value}, `]
  const conditions = [`(${owner}occurred_at) >= (${owned}${bind(since, "timestamptz")})`]
  if (until !== null) conditions.push(`(${owner}occurred_at) < (${owned}${bind(until, "timestamptz")})`)
  if (after !== null) {
    const position = `${bind(after.occurred_at, "timestamptz")}, ${bind(after.id, "uuid")}`
    conditions.push(`(${owner}occurred_at, id) < (${owned}${position})`)
  }
  if (value !== null) conditions.push(`${column} <= ${value}`)
  if (app_user_id !== undefined && name !== null) conditions.push(`event_name = ${name}`)
  const order = value === null ? newestFirst : `${column} desc, ${newestFirst}`
  const page = `select ${columns} from engagement_events where ${conditions.join(" and ")}
    order by ${order} limit ${bind(limit, "bigint")}`
  return { text: cutPage(page, order, jsonBytes("properties")), values }
}

type Counted = EventBucket | { readonly key: string; readonly count: string }

type Reading = "tail" | "count" | "countBy" | "pageOfUser"

/** The part of the event log that reads it. */
export const makeEventsReading = (statements: Statements): Pick<Events, Reading> => {
  const counted = (select: string, events: CountedEvents, rest = "") => {
    const { conditions, values } = matching(events)
    return statements.rows<Counted>(
      `select ${select}, count(*) as count from engagement_events where ${conditions.join(" and ")} ${rest}`,
      values,
    )
  }
  return {
    tail: (filter, after, limit) => {
      const { text, values } = pageOfTail(filter, after, limit)
      return Effect.map(statements.rows<EngagementEvent & Measured>(text, values), readCut<EngagementEvent>)
    },
    count: (events) => Effect.map(counted("'' as key", events), ([row]) => Number(row?.count)),
    countBy: (group, events) => {
      const { key, order } = keyOf[group]
      return Effect.map(counted(`${key} as key`, events, `group by 1 order by ${order}`), (rows) =>
        rows.map((row): EventBucket => ({ key: row.key, count: Number(row.count) })),
      )
    },
    pageOfUser: (userId, { limit, offset }) =>
      Effect.map(
        statements.rows<EngagementEvent & Measured & { readonly total: string }>(pageOfUser, [userId, limit, offset]),
        (found) => ({
          total: Number(found[0]?.total),
          ...readCut<EngagementEvent>(found.flatMap(({ total: _, ...event }) => (event.id === null ? [] : [event]))),
        }),
      ),
  }
}
