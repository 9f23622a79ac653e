import type { AskedEvent, EventEffectsDb, EventEffectsStore } from "@hearth/core/event-effects"
import { appEventKey } from "@hearth/core/events"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import { EventEffect, eventEffects } from "./entities.ts"

const ask = "insert into event_effects (event_id, asked_at) values ($1, $2) on conflict (event_id) do nothing"

const listAsked = `
  select event_id from unnest($1::uuid[]) with ordinality as given (event_id, ordinal)
  join event_effects using (event_id) where effects is null order by ordinal`

const keep = `
  update event_effects e set effects = given.effects
  from jsonb_to_recordset($1::jsonb) as given (event_id uuid, effects jsonb) where e.event_id = given.event_id`

const add = `
  insert into event_effects (event_id, effects, asked_at)
  select event_id, effects, $2 from jsonb_to_recordset($1::jsonb) as given (event_id uuid, effects jsonb)`

const find = `
  select asked_at, effects, exists (select from outbox_dead d where d.event_id = e.event_id) as is_set_aside
  from event_effects e where event_id = $1`

// As ids of apps are kept, and as an earlier release has written them.
const findOwnTwin = `
  select id from engagement_events where cause_key = $1
  union all
  select id from engagement_events where external_id = $2 and app_user_id = $3 and plane is null
  limit 1`

const findTwin = "select id from engagement_events where external_id = $1 and app_user_id = $2"

const forget = `
  delete from event_effects where event_id in (
    select event_id from event_effects where asked_at < $1 order by asked_at limit $2
  )`

const makeEventEffects = (statements: Statements): EventEffectsStore => ({
  ask: (eventId, at) => statements.send(ask, [eventId, at], "ask-effects"),
  listAsked: (eventIds) =>
    Effect.map(statements.rows<{ readonly event_id: string }>(listAsked, [eventIds]), (rows) =>
      rows.map(({ event_id }) => event_id),
    ),
  keep: (kept) => Effect.asVoid(statements.rows(keep, [JSON.stringify(kept)])),
  add: (kept, at) => statements.send(add, [JSON.stringify(kept), at], "add-effects"),
  find: (eventId) =>
    Effect.map(statements.prepared<AskedEvent>("find-effects", find, [eventId]), ([row]) =>
      Option.fromUndefinedOr(row),
    ),
  findTwin: ({ app_user_id, external_id }, plane) => {
    if (external_id === null) return Effect.succeed(Option.none())
    const found =
      plane === "client"
        ? statements.lock<{ readonly id: string }>("find-own-twin", findOwnTwin, [
            appEventKey(app_user_id, external_id),
            external_id,
            app_user_id,
          ])
        : statements.lock<{ readonly id: string }>("find-twin", findTwin, [external_id, app_user_id])
    return Effect.map(found, ([row]) => Option.fromUndefinedOr(row?.id))
  },
  forget: (before, limit) => statements.count(forget, [before, limit]),
  oldest: () => statements.instant("select min(asked_at) from event_effects"),
})

/** What events did, in PostgreSQL. */
export const eventEffectsFeature: TenantFeature<EventEffectsDb> = {
  tenant: {
    entities: [EventEffect],
    steps: [eventEffects],
    repositories: { eventEffects: makeEventEffects },
  },
}
