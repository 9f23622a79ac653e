import { type Ports, TenantBusy, type TenantDb } from "@hearth/core"
import { testWorld } from "@hearth/testing"
import { type Duration, Effect } from "effect"
import { describe, expect, it } from "vitest"

type Tenants = Ports["tenants"]

/** A world with a streak that breaks two days later, whose project's database is `replaced`. */
const aWorld = async (replaced: (tenants: Tenants) => Partial<Tenants>) => {
  const world = testWorld({
    startAt: "2026-03-01T12:00:00.000Z",
    ports: ({ tenants }) => ({ tenants: { ...tenants, ...replaced(tenants) } }),
  })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.run(world.core.streaks.create(projectId, { name: "Lessons", qualifying_event: "lesson" }))
  await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
  const stored = async () => {
    const [streak] = await world.run(world.tenants.read(projectId, (db) => db.userStreaks.list({}, [])))
    return streak?.status
  }
  const failed = () => world.signals.of("task_failed").map(({ task, reason }) => `${task}: ${reason}`)
  /** Moves the clock past all stops. */
  const later = async (by: Duration.Input) => {
    world.clock.advance(by)
    await world.runPending()
  }
  await world.runPending()
  return { stored, failed, later }
}

const spoilt = (db: TenantDb, oldest: TenantDb["feedItems"]["oldest"]): TenantDb => ({
  ...db,
  feedItems: { ...db.feedItems, oldest },
})

describe("when tasks are due", () => {
  it("is known of the others where one of them cannot say it", async () => {
    const { stored, failed, later } = await aWorld((tenants) => ({
      read: (id, work) => tenants.read(id, (db) => work(spoilt(db, () => Effect.die("no such column")))),
    }))
    await later("3 days")
    expect(await stored()).toBe("broken")
    expect(new Set(failed())).toEqual(new Set(["feeds.remove-old: no such column"]))
  })

  it("is asked again a minute later where the database is busy", async () => {
    let isBusy = false
    const { stored, failed, later } = await aWorld((tenants) => ({
      read: (id, work) =>
        Effect.suspend(() => {
          let isAsked = false
          const noting = (db: TenantDb) =>
            spoilt(db, () => {
              isAsked = true
              return db.feedItems.oldest()
            })
          return Effect.flatMap(
            tenants.read(id, (db) => work(isBusy ? noting(db) : db)),
            (answer) => (isAsked ? Effect.fail(new TenantBusy({ retry_after_seconds: 1 })) : Effect.succeed(answer)),
          )
        }),
    }))
    await later("1 day")
    isBusy = true
    await later("2 days")
    expect([await stored(), failed().includes("streaks.expire: TENANT_BUSY")]).toEqual(["active", true])
    isBusy = false
    await later("59 seconds")
    expect(await stored()).toBe("active")
    await later("1 second")
    expect(await stored()).toBe("broken")
  })
})
