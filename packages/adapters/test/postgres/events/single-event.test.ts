import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openNode, type TestNode } from "../nodes.ts"
import { type TestServer, testServer } from "../server.ts"

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)

describe("events of a user who is being removed", () => {
  let server: TestServer
  let node: TestNode
  let other: TestNode
  let projectId: string

  beforeAll(async () => {
    server = testServer()
    node = await openNode(server)
    other = await openNode(server)
    const { developer } = await run(
      node.core.developers.signup({ email: "dev@example.com", password: "correct horse" }),
    )
    const settings = { name: "Events", bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }
    projectId = (await run(node.core.projects.create(developer.id, settings))).id
  })
  afterAll(() => server.close())

  const aUser = async () => (await run(node.core.auth.anonymous(projectId))).user.id
  const eventsOf = async (userId: string) =>
    (
      await server.rows<{ count: number }>(
        server.databaseOf(projectId),
        `select count(*)::int from engagement_events where app_user_id = '${userId}'`,
      )
    )[0]?.count

  /** Removes a user, but commits only when the result is called. */
  const removeSlowly = async (userId: string) => {
    const removed = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const removal = run(
      other.tenants.transact(projectId, (db) =>
        Effect.andThen(
          db.users.remove({ id: userId }),
          Effect.promise(() => {
            removed.resolve()
            return gate.promise
          }),
        ),
      ),
    )
    await removed.promise
    return async () => {
      gate.resolve()
      await removal
    }
  }

  it.each([
    ["one event", 1],
    ["several events", 3],
  ])("%s: the call waits for the removal, and says that there is no such user", async (_, count) => {
    const userId = await aUser()
    const commit = await removeSlowly(userId)
    const events = Array.from({ length: count }, () => ({ app_user_id: userId, event_name: "lesson" }))
    const outcome = run(Effect.flip(node.core.events.record(projectId, count === 1 ? events[0] : { events })))
    await expect.poll(() => server.waiting(server.databaseOf(projectId))).toBe(1)
    await commit()
    expect(await outcome).toMatchObject({ code: "INVALID_APP_USER_ID" })
    expect(await eventsOf(userId)).toBe(0)
  })

  it("neither fails nor leaves an event, whichever comes first", async () => {
    for (let round = 0; round < 60; round += 1) {
      const userId = await aUser()
      const event = { app_user_id: userId, event_name: "lesson" }
      const [recorded] = await Promise.all([
        run(Effect.exit(node.core.events.record(projectId, event))),
        run(other.core.users.remove(projectId, userId)),
      ])
      if (recorded._tag === "Failure") expect(String(recorded.cause)).toContain("InvalidAppUserId")
      expect(await eventsOf(userId)).toBe(0)
    }
  })
})
