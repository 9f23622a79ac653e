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

describe("a page of rows whose texts are long (ADR 0021)", () => {
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
})
