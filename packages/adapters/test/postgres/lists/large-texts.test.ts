import type { TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Postgres } from "../../../src/postgres/open-postgres.ts"
import { type TestServer, testServer } from "../server.ts"

const user = "00000000-0000-4000-8000-000000000001"
// As long as a client may write it: 8 KB, and 131 of them, with their JSON, are a megabyte.
const text = "repeat(U&'\\+01F98A', 2000)"
const many = 140
const slice = { limit: 1_000, offset: 0 }

describe("a page of rows that may be large (ADR 0021)", () => {
  let server: TestServer
  let postgres: Postgres
  let project: string

  beforeAll(async () => {
    server = testServer()
    postgres = await server.open()
    project = await server.project(postgres)
    for (const statement of [
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       values ('${user}', 'x', 'anon_1', '[]', '{}', now(), now(), false, now(), now())`,
      `insert into groups (id, name, description, is_public, max_members, metadata, owner_id, member_count, moderation,
         created_at, updated_at)
       select gen_random_uuid(), 'Fox', ${text}, true, 9, '{}', '${user}', 1, 'shown', now(), now()
       from generate_series(1, ${many})`,
      `insert into group_members (id, group_id, app_user_id, is_admin, joined_at)
       select gen_random_uuid(), id, '${user}', true, now() from groups`,
      `insert into media_assets (id, path, filename, mime_type, alt_text, metadata, app_user_id, status, created_at)
       select gen_random_uuid(), n, 'fox.png', 'image/png', ${text}, '{}', '${user}', 'uploaded', now()
       from generate_series(1, ${many}) as n`,
      `insert into conversations (id, type, created_at, last_number, message_count, held_count, newest_at, latest_at)
       select gen_random_uuid(), 'group', now(), 0, 0, 0, now(), now() from generate_series(1, ${many})`,
      `insert into conversation_participants (conversation_id, app_user_id, joined_at, read_number, latest_hour)
       select id, '${user}', now(), 0, date_trunc('hour', now(), 'UTC') from conversations`,
    ])
      await server.rows(server.databaseOf(project), statement)
  })
  afterAll(() => server.close())

  it.each<[string, (db: TenantDb) => Effect.Effect<{ readonly rows: ReadonlyArray<unknown>; readonly total: number }>]>(
    [
      ["groups that are searched", (db) => db.groups.search("fox", slice)],
      ["groups of a user", (db) => db.groups.pageOfUser(user, slice)],
      ["files", (db) => db.mediaAssets.pageMatching({ app_user_id: user }, slice)],
    ],
  )("of %s is cut where it has a megabyte", async (_, read) => {
    const { rows, ...page } = await Effect.runPromise(postgres.tenants.read(project, read))
    expect([rows.length, page]).toEqual([131, { total: many, is_cut: true }])
  })

  it("of conversations is cut after 100, and goes on after these", async () => {
    const read = async (limit: number, offset: number) => {
      const { rows, ...page } = await Effect.runPromise(
        postgres.tenants.read(project, (db) => db.conversations.pageOfUser(user, { limit, offset })),
      )
      return { ids: rows.map(({ id }) => id), page }
    }
    const first = await read(1_000, 0)
    const rest = await read(900, 100)
    expect([first.ids.length, first.page]).toEqual([100, { total: many, is_cut: true }])
    expect([rest.ids.length, rest.page]).toEqual([40, { total: many }])
    expect(new Set([...first.ids, ...rest.ids]).size).toBe(many)
    for (const [limit, offset] of [
      [100, 0],
      [1_000, 40],
    ] as const)
      expect((await read(limit, offset)).page).toEqual({ total: many })
  })
})
