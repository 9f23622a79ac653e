import { createEngagement } from "@hearth/core"
import { aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { memoryPorts } from "../nodes.ts"
import { ids, testServer } from "../server.ts"

const server = testServer()
afterAll(() => server.close())

const many = 25_000

/** Refuses a statement that removes most of them: with millions it would take longer than a statement may. */
const refuseWhole = `
  create function refuse_whole() returns trigger language plpgsql as $$
  begin
    if (select count(*) from gone) > ${many / 2} then raise exception 'too many at once'; end if;
    return null;
  end $$;
  create trigger refuse_whole after delete on engagement_events
    referencing old table as gone for each statement execute function refuse_whole()`

it("the events of a user are removed in pieces [I0.4]", async () => {
  const postgres = await server.open()
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
  await server.rows(database, refuseWhole)
  expect(await Effect.runPromise(core.users.remove(project, user.id))).toBe(1)
  expect(await server.rows(database, "select from engagement_events")).toEqual([])
})
