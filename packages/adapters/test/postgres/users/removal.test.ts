import { createEngagement } from "@hearth/core"
import { aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { memoryPorts } from "../nodes.ts"
import { ids, testServer } from "../server.ts"

const server = testServer()
afterAll(() => server.close())

const many = 200_000

it("a user whose events cannot be removed within one statement is removed in pieces [I0.4]", async () => {
  const postgres = await server.open({ statementMillis: 700 })
  const { control, news, tenants } = postgres
  const core = createEngagement({ ...memoryPorts(), control, news, tenants })
  const project = await server.project(postgres)
  const user = aUser({ id: ids.uuid(), anonymous_id: ids.uuid() })
  await Effect.runPromise(tenants.transact(project, (db) => db.users.insert(user)))
  const database = server.databaseOf(project)
  await server.rows(
    database,
    `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
     select gen_random_uuid(), '${user.id}', 'lesson', '{}', now() - n * interval '1 minute'
     from generate_series(1, ${many}) as n`,
  )
  expect(await Effect.runPromise(core.users.remove(project, user.id))).toBe(1)
  expect(await server.rows(database, "select from engagement_events")).toEqual([])
})
