import type { TenantDb } from "@hearth/core"
import type { NewStreakDefinition } from "@hearth/core/streaks"
import { anEntitlement, anId, aStreakDefinition, testWorld } from "@hearth/testing"
import { describe, expect, it } from "vitest"

/** `db` with every statement of its repositories recorded. */
const recordStatements = (db: TenantDb, note: (statement: string) => void): TenantDb => {
  const recordCalls = (name: string, repository: object) =>
    new Proxy(repository, {
      get: (target, method) => {
        const found: unknown = Reflect.get(target, method)
        if (typeof found !== "function") return found
        return (...given: ReadonlyArray<unknown>) => {
          note(`${name}.${String(method)}`)
          return found(...given)
        }
      },
    })
  const repositories = Object.entries(db).map(([name, repository]) => [name, recordCalls(name, repository)])
  return Object.fromEntries(repositories) as TenantDb
}

const slice = { limit: 50, offset: 0 }

const setUp = async () => {
  const statements: Array<string> = []
  const world = testWorld({
    startAt: "2026-03-01T12:00:00.000Z",
    ports: ({ tenants }) => ({
      tenants: {
        ...tenants,
        read: (id, work) =>
          tenants.read(id, (db) => work(recordStatements(db, (statement) => statements.push(statement)))),
      },
    }),
  })
  const { projectId } = await world.aProjectWithOwner()
  const { users, streaks } = world.core
  const createDefinition = (rules: Partial<NewStreakDefinition> = {}) => {
    const { id: _, created_at: __, ...definition } = aStreakDefinition(rules)
    return world.run(streaks.create(projectId, definition))
  }
  const list = async (query: Partial<Parameters<typeof users.list>[1]> = {}) => {
    statements.length = 0
    return world.run(users.list(projectId, { ...slice, ...query }))
  }
  return { world, projectId, statements, createDefinition, list }
}

describe("the list of users (spec: admin views)", () => {
  it("shows each as the view of one user does, newest active first", async () => {
    const { world, projectId, createDefinition, list } = await setUp()
    const [daily, weekly] = [
      await createDefinition(),
      await createDefinition({ period: "weekly", qualifying_event: "week" }),
    ]
    const ids: Array<string> = []
    for (const zone of ["Europe/Berlin", "Pacific/Kiritimati", "UTC"]) {
      ids.push((await world.aSignedInUser(projectId, { timezone: zone })).userId)
      await world.advance("1 hour")
    }
    const [first = "", second = "", third = ""] = ids
    for (const [user, streak] of [
      [first, weekly.id],
      [first, daily.id],
      [second, daily.id],
    ] as const) {
      await world.run(world.core.streaks.qualify(projectId, user, streak, {}))
    }
    for (const entitlement_id of ["pro", "extra"]) {
      const row = anEntitlement({ app_user_id: third, entitlement_id })
      await world.run(world.tenants.transact(projectId, (db) => db.entitlements.insert(row)))
    }
    const { rows, total } = await list()
    const one = (id: string) => world.run(world.core.users.get(projectId, id))
    expect(total).toBe(3)
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids))
    const seen = rows.map(({ last_seen_at }) => last_seen_at.getTime())
    expect(seen).toEqual([...seen].sort((a, b) => b - a))
    for (const row of rows) expect(row).toEqual(await one(row.id))
    const counts = rows.map(({ streaks, entitlements }) => [streaks.length, entitlements.length])
    expect(counts.sort()).toEqual([
      [0, 2],
      [1, 0],
      [2, 0],
    ])
  })

  it("shows streaks as they are now, each in its user's time zone", async () => {
    const { world, projectId, createDefinition, list } = await setUp()
    const daily = await createDefinition()
    // Noon of the 1st in UTC is the 2nd in Kiritimati (UTC+14) and one in the morning of the 1st in Pago Pago (UTC-11).
    for (const timezone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const { userId } = await world.aSignedInUser(projectId, { timezone })
      await world.run(world.core.streaks.qualify(projectId, userId, daily.id, {}))
    }
    // Half past ten on the 3rd in UTC: a day has been missed there and in Kiritimati, and is about to be in Pago Pago.
    world.clock.advance("2790 minutes")
    const { rows } = await list()
    const shown = rows.map(({ timezone, streaks }) => [timezone, streaks[0]?.status, streaks[0]?.current_count])
    expect(shown.sort()).toEqual([
      ["Pacific/Kiritimati", "broken", 0],
      ["Pacific/Pago_Pago", "active", 1],
      ["UTC", "broken", 0],
    ])
  })

  it("takes four statements for any number of users", async () => {
    const { world, projectId, statements, createDefinition, list } = await setUp()
    const daily = await createDefinition()
    const four = ["users.pageMatching", "entitlements.ofUsers", "userStreaks.ofUsers", "streakDefinitions.list"]
    for (const count of [1, 9]) {
      for (let n = 0; n < count; n += 1) {
        const { userId } = await world.aSignedInUser(projectId)
        await world.run(world.core.streaks.qualify(projectId, userId, daily.id, {}))
      }
      await list()
      expect(statements).toEqual(four)
    }
  })

  it("runs no further statement for an empty page, and reads no definitions when nobody has a streak", async () => {
    const { world, projectId, statements, createDefinition, list } = await setUp()
    expect(await list()).toEqual({ rows: [], total: 0 })
    expect(statements).toEqual(["users.pageMatching"])
    await createDefinition()
    await world.aSignedInUser(projectId)
    await list()
    expect(statements).toEqual(["users.pageMatching", "entitlements.ofUsers", "userStreaks.ofUsers"])
  })

  it("can be filtered by a search and by a segment; an empty search is no filter", async () => {
    const { world, projectId, list } = await setUp()
    const ids = []
    for (const display_name of ["Ada", "Adam", "Bob"]) {
      const { userId } = await world.aSignedInUser(projectId)
      await world.run(world.core.users.update(projectId, userId, { display_name }))
      ids.push(userId)
    }
    const names = async (query: Parameters<typeof list>[0]) => {
      const { rows, total } = await list(query)
      return [...rows.map(({ display_name }) => display_name).sort(), total]
    }
    expect(await names({ search: "ada" })).toEqual(["Ada", "Adam", 2])
    expect(await names({ search: "" })).toEqual(["Ada", "Adam", "Bob", 3])
    expect(await names({ search: "a", limit: 1, offset: 2 })).toEqual([2])
    expect(await names({ segment_id: anId() })).toEqual([0])
  })

  it("is of one project", async () => {
    const { world, projectId, list } = await setUp()
    await world.aSignedInUser(projectId)
    const other = await world.aProjectWithOwner()
    expect(await world.run(world.core.users.list(other.projectId, slice))).toEqual({ rows: [], total: 0 })
    expect((await list()).total).toBe(1)
  })

  it("orders by id when users were seen at the same moment", async () => {
    const { world, projectId, list } = await setUp()
    const ids: Array<string> = []
    for (let n = 0; n < 5; n += 1) ids.push((await world.aSignedInUser(projectId)).userId)
    const pages = []
    for (const offset of [0, 2, 4]) pages.push(...(await list({ limit: 2, offset })).rows)
    expect(pages.map(({ id }) => id)).toEqual(ids.toSorted())
  })
})
