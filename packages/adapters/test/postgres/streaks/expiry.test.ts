import { aStreakDefinition } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openNode, type TestNode } from "../nodes.ts"
import { type TestServer, testServer } from "../server.ts"

const { id: _id, created_at: _createdAt, ...daily } = aStreakDefinition({ qualifying_event: "lesson" })
const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)

let server: TestServer
let node: TestNode
beforeAll(async () => {
  server = testServer()
  node = await openNode(server)
})
afterAll(() => server.close())

/** A project with so many streaks whose deadline has passed, and its database. */
const expiredStreaks = async (count: number) => {
  const signup = { email: `${crypto.randomUUID()}@example.com`, password: "correct horse" }
  const { developer } = await run(node.core.developers.signup(signup))
  const settings = { name: "Expiry", bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }
  const { id } = await run(node.core.projects.create(developer.id, settings))
  const definition = await run(node.core.streaks.create(id, daily))
  const database = server.databaseOf(id)
  await server.rows(
    database,
    `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
       is_disabled, created_at, updated_at)
     select gen_random_uuid(), 'x', 'anon_' || n, '[]', '{}', now(), now(), false, now(), now()
     from generate_series(1, ${count}) as n`,
  )
  await server.rows(
    database,
    `insert into user_streaks (id, app_user_id, streak_definition_id, current_count, longest_count, freezes_remaining,
       status, last_period, settled_period, expires_at, updated_at)
     select gen_random_uuid(), id, '${definition.id}', 3, 3, 0, 'active', (now() - interval '9 days')::date, (now() - interval '9 days')::date,
       now() - interval '7 days', now() from app_users`,
  )
  const broken = async () => {
    const [row] = await server.rows<{ count: number }>(
      database,
      "select count(*)::int from user_streaks where status = 'broken' and current_count = 0",
    )
    return row?.count
  }
  return { id, broken }
}

it("expires as many slices of streaks as there are in one run", async () => {
  const { id, broken } = await expiredStreaks(2_500)
  await run(node.core.background.process(id))
  expect(await broken()).toBe(2_500)
})

it("expires them all before a segment is evaluated", async () => {
  const { id, broken } = await expiredStreaks(2_500)
  await run(node.core.background.evaluation.expireStreaks(id))
  expect(await broken()).toBe(2_500)
})
