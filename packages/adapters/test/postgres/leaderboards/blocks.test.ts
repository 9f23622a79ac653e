import type { TenantDb } from "@hearth/core"
import { allTime, type ScoreAddition, type Standing } from "@hearth/core/leaderboards"
import { aLeaderboard } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type TestServer, testServer } from "../server.ts"

type Db = { transact: <A>(work: (db: TenantDb) => Effect.Effect<A, unknown>) => Promise<A> }

/** Numbers that look random, the same in every run. */
const makeRandom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const position = "(deficit, reached_at, app_user_id)"

// Blocks whose count is not that of the scores from their position on to the next one.
const wrongBlocks = `
  with blocks as (
    select *, lead(deficit) over w as d, lead(reached_at) over w as r, lead(app_user_id) over w as u from leaderboard_blocks
    window w as (partition by leaderboard_id, version, window_start order by deficit, reached_at, app_user_id)
  )
  select * from blocks b where entries <> (
    select count(*) from leaderboard_scores s where s.is_listed
      and (s.leaderboard_id, s.version, s.window_start) = (b.leaderboard_id, b.version, b.window_start)
      and ${position} >= (b.deficit, b.reached_at, b.app_user_id)
      and ${position} < (coalesce(d, 'Infinity'), coalesce(r, 'infinity'), coalesce(u, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  )`

const wrongWindows = `
  select * from leaderboard_windows w where entries <> (
    select count(*) from leaderboard_scores s where s.is_listed
      and (s.leaderboard_id, s.version, s.window_start) = (w.leaderboard_id, w.version, w.window_start)
  )`

describe("the blocks of leaderboards", () => {
  let server: TestServer
  let project: string
  let db: Db
  let rows: <Row>(text: string) => Promise<ReadonlyArray<Row>>
  const board = aLeaderboard({ max_entries: 1_000_000 })
  const key = { leaderboard_id: board.id, version: board.version }

  beforeAll(async () => {
    server = testServer()
    const postgres = await server.open()
    project = await server.project(postgres)
    db = { transact: (work) => Effect.runPromise(Effect.orDie(postgres.tenants.transact(project, work))) }
    rows = (text) => server.rows(server.databaseOf(project), text)
    await db.transact((tx) => tx.leaderboards.insert(board))
    await rows(`insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
        is_disabled, created_at, updated_at)
      select gen_random_uuid(), 'x', 'anon_' || n, '[]', '{}', now(), now(), n % 50 = 0, now(), now()
      from generate_series(1, 6000) n`)
  })
  afterAll(() => server.close())

  const listUsers = async () =>
    (await rows<{ id: string }>("select id from app_users order by anonymous_id")).map(({ id }) => id)
  const add = (additions: ReadonlyArray<ScoreAddition>) =>
    db.transact((tx) =>
      Effect.andThen(
        tx.users.lockMany(additions.map(({ app_user_id }) => app_user_id)),
        tx.leaderboardScores.add([{ boards: [key], additions }]),
      ),
    )
  const page = (limit: number, offset: number, caller: string | null = null) =>
    db.transact((tx) =>
      tx.leaderboardScores.page({
        ...{ board, window_start: allTime, caller, around: caller !== null },
        slice: { limit, offset },
      }),
    )

  const readOn = (limit: number, after: Standing | null) =>
    db.transact((tx) =>
      tx.leaderboardScores.listAfter({ board, window_start: allTime, after, slice: { limit, offset: 0 } }),
    )

  /** The pages are what a sort of all scores says, and every count is right. */
  const check = async (random: (below: number) => number) => {
    expect(await rows(wrongBlocks)).toEqual([])
    expect(await rows(wrongWindows)).toEqual([])
    const sorted = await rows<{ app_user_id: string; rank: string; units: string; reached_at: Date }>(`
      select app_user_id, rank() over (order by score desc) as rank, trunc(score * 10000)::text as units, reached_at
      from leaderboard_scores where is_listed order by score desc, reached_at, app_user_id`)
    const expected = sorted.map(({ app_user_id, rank }) => [app_user_id, Number(rank)])
    for (let times = 0; times < 12; times += 1) {
      const offset = times === 0 ? 0 : random(expected.length)
      const found = await page(7, offset)
      expect(found.total).toBe(expected.length)
      expect(found.rows.map((row) => [row.app_user_id, row.rank])).toEqual(expected.slice(offset, offset + 7))
      const { app_user_id = "", units = 0n, reached_at = new Date() } = sorted[offset] ?? {}
      const rest = await readOn(7, offset === 0 ? null : { app_user_id, units: BigInt(units), reached_at })
      const begin = offset === 0 ? 0 : offset + 1
      expect(rest.total).toBe(expected.length)
      expect(rest.rows.map((row) => [row.app_user_id, row.rank])).toEqual(expected.slice(begin, begin + 7))
      const own = expected[offset]
      const around = await page(7, 0, String(own?.[0]))
      expect(around.me?.rank).toBe(own?.[1])
      expect(around.offset).toBe(Math.max(0, Math.min(offset - 3, expected.length - 7)))
      expect(around.rows.map((row) => [row.app_user_id, row.rank])).toEqual(
        expected.slice(around.offset, around.offset + 7),
      )
    }
    const blocks = await rows<{ entries: number; is_first: boolean }>(
      "select entries, is_first from leaderboard_blocks",
    )
    return blocks
  }

  const at = (random: (below: number) => number) => new Date(Date.UTC(2026, 2, 1) + random(1_000))

  it("count what is before a position, whatever is added, moved, disabled, removed, or all the same", async () => {
    const random = makeRandom(7)
    const users = await listUsers()
    const some = (count: number, units: () => bigint) =>
      [...new Set(Array.from({ length: count }, () => users[random(users.length)] ?? ""))].map((app_user_id) => ({
        ...{ app_user_id, window_start: allTime, units: units(), reached_at: at(random) },
      }))
    await add(
      users.map((app_user_id) => ({ app_user_id, window_start: allTime, units: 10_000n, reached_at: at(random) })),
    )
    // All scores are the same: still there are blocks.
    expect((await check(random)).length).toBeGreaterThan(3)
    await add(some(4_000, () => BigInt(random(2_000_000) - 500_000)))
    await check(random)
    for (let round = 0; round < 6; round += 1) {
      await add(some(900, () => BigInt(random(round % 2 === 0 ? 50 : 5_000_000) - 10)))
      const gone = Array.from({ length: 40 }, () => users[random(users.length)] ?? "")
      await rows(`update app_users set is_disabled = not is_disabled where id in ('${gone.slice(0, 20).join("','")}')`)
      await rows(`delete from app_users where id in ('${gone.slice(20).join("','")}')`)
      await check(random)
    }
    // Nearly everybody leaves: small blocks are merged.
    await rows("delete from app_users where right(anonymous_id, 1) in ('1', '2', '3', '4', '5', '6', '7', '8')")
    const [one] = await listUsers()
    await add([{ app_user_id: one ?? "", window_start: allTime, units: 1n, reached_at: at(random) }])
    const blocks = await check(random)
    expect(blocks.filter(({ entries, is_first }) => !is_first && entries < 250)).toEqual([])
  })

  it("count right where users are removed, disabled and scored at the same time", async () => {
    const random = makeRandom(11)
    const users = await listUsers()
    const batch = (from: number, size: number) =>
      add(
        users.slice(from, from + size).map((app_user_id) => ({
          ...{ app_user_id, window_start: allTime, units: BigInt(random(90_000_000)), reached_at: at(random) },
        })),
      )
    const scored = (async () => {
      for (let from = 0; from < users.length; from += 100) await batch(from, 100)
    })()
    const removed = (async () => {
      for (let index = 3; index < users.length; index += 23)
        await db.transact((tx) => tx.users.remove({ id: users[index] ?? "" }))
    })()
    const disabled = (async () => {
      for (let index = 5; index < users.length; index += 17)
        await db.transact((tx) => tx.users.update(users[index] ?? "", { is_disabled: index % 2 === 0 }))
    })()
    await Promise.all([scored, removed, disabled])
    await check(random)
    const wrong = await rows(
      "select 1 from leaderboard_scores s join app_users u on u.id = s.app_user_id where s.is_listed = u.is_disabled",
    )
    expect(wrong).toEqual([])
  })
})
