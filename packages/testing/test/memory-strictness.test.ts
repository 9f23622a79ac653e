import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { anId } from "../src/builders.ts"
import { died, failureOf, tenantDatabase } from "../src/contracts/database-under-test.ts"
import { manualClock } from "../src/memory/clock.ts"
import { memoryControlPlane } from "../src/memory/control-plane.ts"
import { memoryTenants } from "../src/memory/tenants.ts"
import { aDeveloper, aProject } from "../src/projects/builders.ts"
import { aStreakDefinition } from "../src/streaks/builders.ts"
import { aUser } from "../src/users/builders.ts"

const aProjectDatabase = async () => {
  const clock = manualClock()
  const tenants = memoryTenants({ clock })
  const id = anId()
  await Effect.runPromise(tenants.create(id))
  return { clock, tenants, id, db: tenantDatabase(tenants, id) }
}

describe("memory refuses what PostgreSQL refuses", () => {
  it.for([
    ["a lone surrogate in text", { display_name: "half \uD83E" }],
    ["an id that is no uuid", { id: "17" }],
    ["a date that is none", { created_at: new Date(Number.NaN) }],
    ["text for a date", { created_at: "2026-01-01" }],
    ["a number in JSON that is not finite", { properties: { n: Number.POSITIVE_INFINITY } }],
    ["a value that is not JSON", { properties: { at: new Date() } }],
    ["an unknown column", { nickname: "Bo" }],
  ] as const)("%s", async ([, given]) => {
    const { db } = await aProjectDatabase()
    const user = { ...aUser(), ...(given as object) }
    expect(died(await db.attempt((tx) => tx.users.insert(user)))).toBe(true)
    expect(await db.read((tx) => tx.users.list({}, []))).toEqual([])
  })

  it.for([
    ["a count out of range", { max_freezes: 2 ** 31 }],
    ["a count that is not whole", { max_freezes: 0.5 }],
    ["a negative count", { max_freezes: -1 }],
    ["an amount that is not finite", { grace_period_hours: Number.NaN }],
    ["a period that is none", { period: "monthly" as never }],
  ] as const)("%s", async ([, given]) => {
    const { db } = await aProjectDatabase()
    expect(died(await db.attempt((tx) => tx.streakDefinitions.insert(aStreakDefinition(given))))).toBe(true)
  })

  it("a day that does not exist", async () => {
    const { db } = await aProjectDatabase()
    const [user, definition] = [aUser(), aStreakDefinition()]
    await db.transact((tx) =>
      Effect.orDie(Effect.andThen(tx.users.insert(user), tx.streakDefinitions.insert(definition))),
    )
    const grant = {
      id: anId(),
      app_user_id: user.id,
      streak_definition_id: definition.id,
      count: 1,
      granted_at: new Date(),
    }
    expect(died(await db.attempt((tx) => tx.userStreaks.addGrant({ ...grant, from_period: "2026-02-30" })))).toBe(true)
  })

  it("an invalid slice or order", async () => {
    const { db } = await aProjectDatabase()
    await db.transact((tx) => Effect.orDie(Effect.andThen(tx.users.insert(aUser()), tx.users.insert(aUser()))))
    for (const slice of [
      { limit: -1, offset: 0 },
      { limit: 1, offset: -1 },
      { limit: 1, offset: 2 ** 63 },
      { limit: 0.5, offset: 0 },
    ]) {
      expect(died(await db.attemptRead((tx) => tx.users.page({}, [], slice)))).toBe(true)
    }
    expect(died(await db.attemptRead((tx) => tx.users.list({}, [["properties", "asc"]])))).toBe(true)
  })
})

describe("memory", () => {
  it("sorts keys of JSON as jsonb does, and has no negative zero", async () => {
    const { db } = await aProjectDatabase()
    const user = aUser({ properties: { bb: 1, ab: 2, c: { z: -0, y: 1 } } })
    await db.transact((tx) => Effect.orDie(tx.users.insert(user)))
    const [stored] = await db.read((tx) => tx.users.list({}, []))
    expect(JSON.stringify(stored?.properties)).toBe('{"c":{"y":1,"z":0},"ab":2,"bb":1}')
    expect(stored?.properties).toStrictEqual({ c: { z: 0, y: 1 }, ab: 2, bb: 1 })
  })

  it("does not change an id", async () => {
    const { db } = await aProjectDatabase()
    const user = aUser()
    await db.transact((tx) => Effect.orDie(tx.users.insert(user)))
    expect(died(await db.attempt((tx) => tx.users.update(user.id, { id: anId() })))).toBe(true)
    expect(await db.read((tx) => tx.users.list({}, []))).toStrictEqual([user])
  })

  it("treats ids in upper and lower case as equal", async () => {
    const { db } = await aProjectDatabase()
    const user = aUser({ id: "019B76DA-A800-7000-8000-00000000ABCD" })
    await db.transact((tx) => Effect.orDie(tx.users.insert(user)))
    const found = await db.read((tx) => tx.users.list({ id: user.id }, []))
    expect(found.map(({ id }) => id)).toEqual([user.id.toLowerCase()])
  })

  it("stamps the outbox with its clock", async () => {
    const { clock, db } = await aProjectDatabase()
    clock.advance("1 hour")
    await db.transact((tx) => tx.outbox.add("streak-definition", { definition_id: anId(), after_user_id: null }))
    expect((await db.read((tx) => tx.outbox.waiting())).oldest).toEqual(clock.now())
  })

  it("lets other fibers run between statements, so that races show", async () => {
    const { db } = await aProjectDatabase()
    const addUnlessThere = () =>
      db.read((tx) =>
        Effect.gen(function* () {
          const there = yield* tx.users.find({ display_name: "Bo" })
          if (there._tag === "None") yield* tx.users.insert(aUser({ display_name: "Bo" }))
        }),
      )
    await Promise.all([addUnlessThere(), addUnlessThere()])
    expect(await db.read((tx) => tx.users.list({}, []))).toHaveLength(2)
  })

  it("dies when a transaction waits for another one of the same database", async () => {
    const { db, id, tenants } = await aProjectDatabase()
    const nested = await db.attempt(() => tenants.transact(id, (tx) => tx.users.insert(aUser())))
    expect(died(nested)).toBe(true)
    const outside = await db.attempt(() => tenants.read(id, (tx) => tx.users.insert(aUser())))
    expect(died(outside)).toBe(true)
    expect(await db.transact(() => tenants.read(id, (tx) => tx.users.list({}, [])))).toEqual([])
    const other = anId()
    await Effect.runPromise(tenants.create(other))
    await db.transact(() => tenants.transact(other, (tx) => Effect.orDie(tx.users.insert(aUser()))))
  })

  it("dies when a transaction is used after its end", async () => {
    const { db } = await aProjectDatabase()
    const leaked = await db.transact((tx) => Effect.succeed(tx))
    expect(Exit.hasDies(await Effect.runPromiseExit(leaked.users.insert(aUser())))).toBe(true)
    expect(Exit.hasDies(await Effect.runPromiseExit(leaked.users.list({}, [])))).toBe(true)
  })

  it("makes a project unreachable on demand, also during a transaction", async () => {
    const { db, id, tenants } = await aProjectDatabase()
    const user = aUser()
    const cut = (isCut: boolean) => Effect.sync(() => tenants.unreachable(id, isCut))
    const unavailable = expect.objectContaining({ _tag: "TenantUnavailable" })
    const atStatement = await db.attempt((tx) => Effect.andThen(cut(true), tx.users.insert(user)))
    expect(failureOf(atStatement)).toEqual(unavailable)
    expect(failureOf(await db.attemptRead((tx) => tx.users.list({}, [])))).toEqual(unavailable)
    expect(Exit.hasDies(await Effect.runPromiseExit(tenants.drop(id)))).toBe(true)
    tenants.unreachable(id, false)
    const atCommit = await db.attempt((tx) => Effect.andThen(tx.users.insert(user), cut(true)))
    expect(failureOf(atCommit)).toEqual(unavailable)
    tenants.unreachable(id, false)
    expect(await db.read((tx) => tx.users.list({}, []))).toEqual([])
  })

  it("keeps nothing of a project that is dropped during a transaction", async () => {
    const { db, id, tenants } = await aProjectDatabase()
    const exit = await db.attempt((tx) => Effect.andThen(tx.users.insert(aUser()), tenants.drop(id)))
    expect(failureOf(exit)).toMatchObject({ _tag: "TenantUnavailable" })
    await Effect.runPromise(tenants.create(id))
    expect(await db.read((tx) => tx.users.list({}, []))).toEqual([])
  })

  it("has independent control planes", async () => {
    const [one, two] = [memoryControlPlane(), memoryControlPlane()]
    const developer = aDeveloper()
    const insert = (plane: typeof one) => Effect.runPromise(plane.transact((tx) => tx.developers.insert(developer)))
    await insert(one)
    await insert(two)
    await Effect.runPromise(one.transact((tx) => tx.projects.insert(aProject())))
    expect(await Effect.runPromise(two.read((tx) => tx.projects.list({}, [])))).toEqual([])
  })
})
