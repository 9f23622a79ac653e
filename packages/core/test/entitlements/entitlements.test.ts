import { type Entitlement, EntitlementGrant, toleranceMillis } from "@hearth/core/entitlements"
import { anId, testWorld } from "@hearth/testing"
import { Effect, Result, Schema } from "effect"
import { describe, expect, it, test } from "vitest"

const decode = Schema.decodeUnknownResult(EntitlementGrant)

const setUp = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  /** The grant of a decoded body. */
  const granting = (body: object, to = userId) =>
    world.core.entitlements.grant(projectId, to, Result.getOrThrow(decode(body)))
  return {
    world,
    projectId,
    userId,
    granting,
    grant: (body: object) => world.run(granting({ entitlement_id: "pro", ...body })),
    stored: () =>
      world.run(world.tenants.read(projectId, (db) => db.entitlements.list({}, [["entitlement_id", "asc"]]))),
  }
}

interface Column {
  readonly before: unknown
  readonly value: unknown
  /** What `value` is as stored. */
  readonly kept?: unknown
  /** What null stores, and what a first grant stores by default. */
  readonly cleared: unknown
}

const columns: Readonly<Record<string, Column>> = {
  product_id: { before: "gold", value: "silver", cleared: null },
  store: { before: "web", value: "", cleared: null },
  period_type: { before: "normal", value: "trial", cleared: null },
  purchase_date: {
    before: "2026-01-01T00:00:00Z",
    value: "2026-02-01T01:00:00.5+01:00",
    kept: new Date("2026-02-01T00:00:00.500Z"),
    cleared: null,
  },
  expiration_date: {
    before: "2027-01-01T00:00:00Z",
    value: "2028-02-29",
    kept: new Date("2028-02-29T00:00:00Z"),
    cleared: null,
  },
  raw_data: { before: { order: 1, by: "support" }, value: { order: 2 }, cleared: {} },
}
const everything = Object.fromEntries(Object.entries(columns).map(([name, { before }]) => [name, before]))

const given = { omitted: undefined, null: null, value: "its value" }
const cases = Object.keys(columns).flatMap((name) =>
  (["fresh", "refresh"] as const).flatMap((kind) =>
    (Object.keys(given) as ReadonlyArray<keyof typeof given>).map((how) => [name, how, kind] as const),
  ),
)

describe("of every nullable column, left out keeps, null clears and a value sets", () => {
  test.each(cases)("%s, %s, on a %s grant", async (name, how, kind) => {
    const { grant, stored } = await setUp()
    const { value, kept = value, cleared } = columns[name] as Column
    const before = kind === "fresh" ? undefined : (await grant(everything)).row
    const { created, row } = await grant(how === "omitted" ? {} : { [name]: how === "null" ? null : value })
    expect(created).toBe(kind === "fresh")
    const blank = { product_id: null, store: null, period_type: null, purchase_date: null, expiration_date: null }
    const rest: object = before ?? { ...blank, raw_data: {} }
    const expected =
      how === "omitted" ? (before?.[name as keyof Entitlement] ?? cleared) : how === "null" ? cleared : kept
    expect(row).toEqual({
      ...rest,
      ...{ id: row.id, app_user_id: row.app_user_id, entitlement_id: "pro", is_active: true, [name]: expected },
      updated_at: row.updated_at,
    })
    expect(await stored()).toEqual([row])
  })
})

describe("a grant of an entitlement (spec: entitlement grant or refresh)", () => {
  it("is active by default, also where it was inactive before", async () => {
    const { grant } = await setUp()
    expect((await grant({ is_active: false })).row.is_active).toBe(false)
    expect((await grant({ store: "web" })).row).toMatchObject({ is_active: true, store: "web" })
  })

  it("keeps its id, and is stamped with every refresh", async () => {
    const { world, grant } = await setUp()
    const first = await grant({})
    expect(first).toMatchObject({ created: true, row: { updated_at: new Date("2026-03-01T12:00:00.000Z") } })
    await world.advance("1 hour")
    const second = await grant({})
    expect(second).toEqual({
      created: false,
      row: { ...first.row, updated_at: new Date("2026-03-01T13:00:00.000Z") },
    })
  })

  it("is one per user and name; names are case-sensitive", async () => {
    const { world, projectId, grant, granting, stored } = await setUp()
    await grant({})
    await grant({ entitlement_id: "PRO" })
    const { userId } = await world.aSignedInUser(projectId)
    expect(await world.run(granting({ entitlement_id: "pro" }, userId))).toMatchObject({ created: true })
    expect((await stored()).map(({ entitlement_id }) => entitlement_id)).toEqual(["PRO", "pro", "pro"])
  })

  it("is seen by the user at once", async () => {
    const { world, projectId, userId, grant } = await setUp()
    const { row } = await grant({ expiration_date: "2026-04-01T00:00:00Z" })
    const summary = { id: row.id, entitlement_id: "pro", is_active: true, expiration_date: row.expiration_date }
    expect((await world.run(world.core.users.me(projectId, userId))).entitlements).toEqual([summary])
    expect((await world.run(world.core.users.get(projectId, userId))).entitlements).toEqual([summary])
  })

  it("is answered as readers see it: inactive where its end has passed by an hour", async () => {
    const { world, projectId, userId, grant, stored } = await setUp()
    const shown = async () => (await world.run(world.core.users.me(projectId, userId))).entitlements[0]?.is_active
    const past = await grant({ expiration_date: "2026-03-01T11:00:00.000Z" })
    expect([past.row.is_active, await shown()]).toEqual([false, false])
    // The row keeps what the developer said, so that a later end gives access without saying it again.
    expect((await stored())[0]?.is_active).toBe(true)
    const late = await grant({ expiration_date: "2026-03-01T11:00:00.001Z" })
    expect([late.row.is_active, await shown()]).toEqual([true, true])
    world.clock.advance("1 hour")
    expect([(await grant({})).row.is_active, await shown()]).toEqual([false, false])
  })

  it("is shown and exported as inactive an hour after its end, and active again where it lasts longer", async () => {
    const { world, projectId, userId, grant } = await setUp()
    const section = { section: "user_entitlements", limit: 10 }
    const shown = async () => {
      const { me, get } = world.core.users
      const [own, admin] = [await world.run(me(projectId, userId)), await world.run(get(projectId, userId))]
      expect(admin.entitlements).toEqual(own.entitlements)
      const { data: exported } = await world.run(world.core.exports.records(projectId, userId, section))
      expect(exported.map(({ is_active }) => is_active)).toEqual(own.entitlements.map(({ is_active }) => is_active))
      return own.entitlements.map(({ is_active }) => is_active)
    }
    await grant({ expiration_date: "2026-03-02T12:00:00.000Z" })
    await world.advance("24 hours")
    expect(await shown()).toEqual([true])
    world.clock.advance(toleranceMillis - 1)
    expect(await shown()).toEqual([true])
    world.clock.advance(1)
    expect(await shown()).toEqual([false])
    await grant({ expiration_date: null })
    expect(await shown()).toEqual([true])
  })

  it("is refused for an unknown user and for a user of another project", async () => {
    const { world, userId, granting, stored } = await setUp()
    const body = { entitlement_id: "pro" }
    expect(await world.run(Effect.flip(granting(body, anId())))).toMatchObject({ code: "NOT_FOUND" })
    const { projectId } = await world.aProjectWithOwner()
    const elsewhere = world.core.entitlements.grant(projectId, userId, Result.getOrThrow(decode(body)))
    expect(await world.run(Effect.flip(elsewhere))).toMatchObject({ code: "NOT_FOUND" })
    expect(await stored()).toEqual([])
  })

  it("is created once when several first grants race", async () => {
    const { world, granting, stored } = await setUp()
    const grants = Array.from({ length: 8 }, (_, n) => granting({ entitlement_id: "pro", product_id: `p${n}` }))
    const answers = await world.run(Effect.all(grants, { concurrency: "unbounded" }))
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(answers.map(({ row }) => row.id)).size).toBe(1)
    expect(await stored()).toHaveLength(1)
  })

  test.each([
    {},
    { entitlement_id: "" },
    { entitlement_id: null },
    { entitlement_id: "x".repeat(256) },
    { entitlement_id: "NUL \u0000" },
    { entitlement_id: "pro", is_active: null },
    { entitlement_id: "pro", is_active: "true" },
    { entitlement_id: "pro", store: 1 },
    { entitlement_id: "pro", store: "x".repeat(256) },
    { entitlement_id: "pro", product_id: {} },
    { entitlement_id: "pro", period_type: false },
    { entitlement_id: "pro", purchase_date: "yesterday" },
    { entitlement_id: "pro", purchase_date: "2026-01-01T00:00:00" },
    { entitlement_id: "pro", expiration_date: 1_767_225_600 },
    { entitlement_id: "pro", expiration_date: "2026-02-30" },
    { entitlement_id: "pro", raw_data: [] },
    { entitlement_id: "pro", raw_data: "{}" },
  ])("cannot be %j", (body) => {
    expect(Result.isFailure(decode(body))).toBe(true)
  })

  it("keeps every key of its raw data, also `__proto__`", async () => {
    const { grant, stored } = await setUp()
    await grant({ raw_data: JSON.parse('{"__proto__":{"admin":true},"constructor":1}') })
    expect(Object.keys((await stored())[0]?.raw_data ?? {}).sort()).toEqual(["__proto__", "constructor"])
  })
})
