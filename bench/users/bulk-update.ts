import { Effect } from "effect"
import type pg from "pg"
import { connectTo } from "../harness/database.ts"
import { atMost, type Figure, measureInTurns } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"
import { recordStatements } from "../harness/sent-statements.ts"

const users = 1_000
const rounds = 15

// The least that a bulk update must do, without checking that users exist.
const plainStatements = [
  `update app_users set properties = properties || $2::jsonb where id = any($1::uuid[])`,
  `insert into segment_memberships select $2::uuid, id, true, now() from unnest($1::uuid[]) id on conflict do nothing`,
  `delete from segment_memberships where segment_id = $2 and app_user_id = any($1::uuid[])`,
]

const updateByStatements = async (
  database: pg.Client,
  ids: ReadonlyArray<string>,
  properties: object,
  joined: string,
  left: string,
) => {
  const [merge = "", add = "", remove = ""] = plainStatements
  await database.query("begin")
  await database.query(merge, [ids, JSON.stringify(properties)])
  await database.query(add, [ids, joined])
  await database.query(remove, [ids, left])
  const count = `update segments set user_count = $2 where id = $1`
  await database.query(count, [joined, ids.length])
  await database.query(count, [left, 0])
  await database.query("commit")
}

/** A bulk update of a thousand users with all three kinds of change: how many statements it takes, and how long. */
export const bulkUpdate = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const { core, ids } = hearth
  const project = await hearth.newProject("Bulk update")
  const database = await connectTo(hearth.dataDir, project.id)
  const userIds: Array<string> = []
  for (let index = 0; index < users; index += 1) {
    userIds.push((await Effect.runPromise(core.auth.anonymous(project.id))).user.id)
  }
  const [one, two] = [ids.uuid(), ids.uuid()]
  await database.query(
    `insert into segments select id, 'Segment', null, '{}', false, 0, null, now() from unnest($1::uuid[]) id`,
    [[one, two]],
  )
  let turn = 0
  const update = (user_ids: ReadonlyArray<string>, joined: string, left: string) => {
    turn += 1
    const updates = { properties: { turn }, add_segment_ids: [joined], remove_segment_ids: [left] }
    return Effect.runPromise(core.users.bulkUpdate(project.id, { user_ids, updates }))
  }

  const few = await recordStatements(() => update(userIds.slice(0, 1), one, two))
  const many = await recordStatements(() => update(userIds, one, two))
  const changing = (table: string) =>
    many.filter(({ text }) => new RegExp(`(update|insert into|delete from) ${table}`).test(text)).length
  const changes = [changing("app_users"), changing("segment_memberships")]

  const [rate, plain] = await measureInTurns(
    rounds,
    async () => (await update(userIds, one, two)).updated,
    async () => {
      await updateByStatements(database, userIds, { turn }, two, one)
      return users
    },
  )
  await database.end()
  await hearth.close()
  return [
    {
      name: "Bulk update, statements that change something",
      measured: `${changes[0]} for properties, ${changes[1]} for added and removed members; ${many.length} statements in all`,
      bound: `1, and 2; as many as for one user (${few.length})`,
      kept: changes[0] === 1 && changes[1] === 2 && many.length === few.length,
    },
    atMost(
      "Bulk update of 1,000 users, time against the plain statements",
      `× (${((users / plain) * 1000).toFixed(0)} ms)`,
      plain / rate,
      2,
      2,
    ),
  ]
}
