import { Effect } from "effect"
import { connectTo } from "../harness/database.ts"
import { type Figure, median } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"

const users = Number(process.env["BENCH_USERS"] ?? 1_000_000)
const rounds = 3

const rules = {
  operator: "AND",
  conditions: [
    { field: "properties.level", op: "gte", value: 50 },
    { field: "entitlements.premium", op: "neq", value: true },
    { event: "commit", op: "gte", count: 3, within: "90d" },
  ],
}

// Half of the users have the level, a tenth is premium, and all have three commits within 90 days.
const fill = [
  `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
     is_disabled, created_at, updated_at)
   select gen_random_uuid(), 'User ' || n, 'anon_' || n, '[]',
     jsonb_build_object('level', n % 100, 'plan', 'free', 'country', 'DE'), now(), now(), false, now(), now()
   from generate_series(1, ${users}) n`,
  `insert into user_entitlements (id, app_user_id, entitlement_id, is_active, raw_data, updated_at)
   select gen_random_uuid(), id, 'premium', true, '{}', now() from app_users where right(anonymous_id, 1) = '7'`,
  `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
   select gen_random_uuid(), id, case when k < 4 then 'commit' else 'other' end, '{}', now() - k * interval '20 days'
   from app_users cross join generate_series(1, 4) k`,
  "analyze",
]

/** The same evaluation as one statement by hand: users, members that are removed and added, the count. */
const byHand = `
  with described as materialized (
    select u.id from app_users u
    left join user_entitlements e on e.app_user_id = u.id and e.entitlement_id = 'premium'
    join (
      select app_user_id from engagement_events
      where event_name = 'commit' and occurred_at between now() - interval '90 days' and now()
      group by app_user_id having count(*) >= 3
    ) committed on committed.app_user_id = u.id
    where (u.properties -> 'level') >= '50' and not coalesce(e.is_active, false)
  ), gone as (
    delete from segment_memberships m where m.segment_id = $1
      and not exists (select from described d where d.id = m.app_user_id)
  ), entered as (
    insert into segment_memberships (segment_id, app_user_id, is_manual, added_at)
    select $1, id, false, now() from described d
    where not exists (select from segment_memberships m where m.segment_id = $1 and m.app_user_id = d.id)
    on conflict do nothing
  )
  update segments set last_evaluated_at = now(), user_count = (select count(*) from described) where id = $1`

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const figure = (name: string, ours: number, reference: number): Figure => ({
  name,
  measured: `${(ours / 1000).toFixed(2)} s = ${(ours / reference).toFixed(2)} ×`,
  bound: `≤ 2 × its set statement by hand (${(reference / 1000).toFixed(2)} s)`,
  kept: ours <= 2 * reference,
})

/** A segment of three conditions over a million users, evaluated for the first time and again, against the same by hand. */
export const segments = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const project = await hearth.newProject("Segments")
  const { core } = hearth
  const database = await connectTo(hearth.dataDir, project.id)
  for (const statement of fill) await database.query(statement)
  const input = { name: "Committers", description: null, rules }
  const ours = await Effect.runPromise(core.segments.create(project.id, input))
  const other = await Effect.runPromise(core.segments.create(project.id, input))
  const evaluate = () =>
    Effect.runPromise(core.background.evaluation.evaluateSegment.run({ project_id: project.id, segment_id: ours.id }))
  const hand = () => database.query(byHand, [other.id])
  const times = { first: [[], []], again: [[], []] } as Record<"first" | "again", [Array<number>, Array<number>]>
  for (let round = 0; round < rounds; round += 1) {
    await database.query("delete from segment_memberships")
    await database.query("vacuum segment_memberships")
    for (const when of ["first", "again"] as const) {
      times[when][0].push(await timed(evaluate))
      times[when][1].push(await timed(hand))
    }
  }
  const { rows } = await database.query("select distinct user_count from segments where not is_system")
  if (rows.length !== 1) throw new Error(`The two do not agree: ${JSON.stringify(rows)}`)
  await database.end()
  await hearth.close()
  const millions = `${(users / 1_000_000).toLocaleString("en")} million users`
  return [
    figure(`Segment of three conditions over ${millions}, first`, median(times.first[0]), median(times.first[1])),
    figure(`Segment of three conditions over ${millions}, again`, median(times.again[0]), median(times.again[1])),
  ]
}
