import { makeAchievementsWork } from "@hearth/core/achievements"
import { makeBatchNotes } from "@hearth/core/background"
import { Effect } from "effect"
import type pg from "pg"
import { connectTo } from "../harness/database.ts"
import { type Figure, measureInTurns, ratio } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"

// As large as the largest batch that is handled at once: four events of each user.
const users = 500
const batchSize = 2_000
// What a user has done before, of so many kinds.
const history = 1_000
const names = 20
const achievements = 50
const rounds = 11

// The least that the reaction must do: count what the users of the batch have done of each kind, and unlock what that is enough for.
const setStatement = `
  with done as (
    select e.app_user_id, e.event_name, count(*) as events from (
      select distinct app_user_id, event_name from jsonb_to_recordset($1::jsonb) as rows (app_user_id uuid, event_name text)
    ) b join engagement_events e using (app_user_id, event_name) group by 1, 2
  )
  insert into user_achievements (id, app_user_id, achievement_id, unlocked_at)
  select gen_random_uuid(), d.app_user_id, a.id, now() from done d
  join achievements a on a.is_active and a.criteria -> 'all' -> 0 ->> 'event' = d.event_name
    and d.events >= (a.criteria -> 'all' -> 0 ->> 'count')::numeric
  on conflict do nothing`

/** Users with a past, others beside them, and achievements that are still far away from all of them. */
const fill = async (database: pg.Client) => {
  await database.query(`
    insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at, is_disabled,
      created_at, updated_at)
    select gen_random_uuid(), 'x', gen_random_uuid()::text, '[]', '{}', now(), now(), false, now(), now()
    from generate_series(1, ${4 * users})`)
  await database.query(`
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
    select gen_random_uuid(), u.id, 'event-' || (s % ${names}), '{"score": 5}', now() - (s || ' minutes')::interval
    from app_users u, generate_series(1, ${history}) s
    where u.id in (select id from app_users order by id limit ${users}) or s % 5 = 0 order by s`)
  for (let at = 0; at < achievements; at += 1) {
    const criteria = { all: [{ event: `event-${at % names}`, count: 1_000_000 + at }] }
    await database.query(
      `insert into achievements (id, key, name, xp_reward, criteria, is_hidden, sort_order, is_active, created_at)
       values (gen_random_uuid(), $1, 'x', 5, $2, false, 0, true, now())`,
      [`achievement-${at}`, JSON.stringify(criteria)],
    )
  }
  await database.query("vacuum analyze engagement_events")
  return (await database.query<{ id: string }>(`select id from app_users order by id limit ${users}`)).rows
}

/** The reaction to a batch that unlocks nothing, which is the usual one, against a set statement that counts the same. */
export const achievementsReaction = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const { ids, postgres } = hearth
  const project = await hearth.newProject("Achievements")
  const database = await connectTo(hearth.dataDir, project.id)
  const own = await fill(database)
  const [reaction] = makeAchievementsWork({ clock: { now: () => new Date() }, ids }).reactions ?? []
  if (reaction === undefined) throw new Error("Achievements react to events.")
  const batch = () =>
    Array.from({ length: batchSize }, (_, at) => ({
      ...{ id: ids.uuid(), app_user_id: own[at % users]?.id ?? "", properties: {}, occurred_at: new Date() },
      event_name: `event-${(at * 7 + Math.floor(at / users)) % names}`,
    }))
  const [reacted, plain] = await measureInTurns(
    rounds,
    async () => {
      const events = batch()
      await Effect.runPromise(
        postgres.tenants.transact(project.id, (db) =>
          Effect.andThen(db.outbox.hold(), reaction.react(db, events, makeBatchNotes())),
        ),
      )
      return batchSize
    },
    async () => {
      await database.query(setStatement, [JSON.stringify(batch())])
      return batchSize
    },
  )
  await database.end()
  await hearth.close()
  const name = `Achievements, ${achievements} of them, users with ${history.toLocaleString("en")} events`
  return [ratio(name, "events/s", reacted, plain, "the set statement", 0.5)]
}
