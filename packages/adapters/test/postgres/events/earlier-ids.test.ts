import { randomUUID } from "node:crypto"
import type { TenantDb } from "@hearth/core"
import type { NewEvent, WritingPlane } from "@hearth/core/events"
import { anEvent, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Postgres } from "../../../src/postgres/index.ts"
import { type TestServer, testServer } from "../server.ts"

describe("ids of events that an earlier release has written [G0.3]", () => {
  let server: TestServer
  let postgres: Postgres
  let project: string
  const [one, other] = [randomUUID(), randomUUID()]

  const run = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) =>
    Effect.runPromise(postgres.tenants.transact(project, work))
  const event = (app_user_id: string, external_id: string): NewEvent =>
    anEvent({ id: randomUUID(), app_user_id, external_id })
  const write = async (plane: WritingPlane, ...events: ReadonlyArray<NewEvent>) => {
    const written = await run((db) => db.events.insert(events, { enqueue: false, plane }))
    return "inserted" in written ? written.inserted.length : written
  }

  beforeAll(async () => {
    server = testServer()
    postgres = await server.open()
    project = await server.project(postgres)
    for (const id of [one, other])
      await run((db) => Effect.orDie(db.users.insert(aUser({ id, anonymous_id: randomUUID() }))))
    // As that release does it, which knows no plane.
    await server.rows(
      server.databaseOf(project),
      `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id)
       values (gen_random_uuid(), '${one}', 'lesson', '{}', now(), 'earlier'),
              (gen_random_uuid(), '${one}', 'lesson', '{}', now(), 'earlier too')`,
    )
  })
  afterAll(() => server.close())

  it("are the user's own on the client plane", async () => {
    expect(await write("client", event(one, "earlier"))).toBe(0)
    expect(await write("client", event(one, "earlier"), event(one, "earlier too"), event(one, "new"))).toBe(1)
    expect(await write("client", event(other, "earlier"))).toBe(1)
  })

  it("are the project's on the admin plane", async () => {
    expect(await write("admin", event(other, "earlier"))).toBe(0)
    expect(await write("admin", event(other, "earlier"), event(one, "newer"))).toBe(1)
  })

  it("are not those that a developer's service has written since", async () => {
    expect(await write("admin", event(one, "since"))).toBe(1)
    expect(await write("client", event(one, "since"))).toBe(1)
  })
})
