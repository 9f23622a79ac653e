import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"

/** A project with two users, and the devices as they are stored. */
const pushWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const [{ userId }, { userId: otherId }] = [await world.aSignedInUser(projectId), await world.aSignedInUser(projectId)]
  const { pushTokens } = world.core
  return {
    ...{ world, projectId, userId, otherId },
    register: (token: string, more: object = {}, user = userId) =>
      world.run(pushTokens.register(projectId, user, { token, platform: "ios", ...more })),
    remove: (token: string, user = userId) => world.run(pushTokens.remove(projectId, user, token)),
    stored: (app_user_id = userId) =>
      world.run(world.tenants.read(projectId, (db) => db.pushTokens.list({ app_user_id }, [["registered_at", "asc"]]))),
  }
}

describe("devices [H4.1]", () => {
  test.each([
    ["ios", "push_a"],
    ["android", "push_b"],
    ["web", "push_b"],
  ] as const)("on %s are sent through %s, unless another provider is named", async (platform, provider) => {
    const { register } = await pushWorld()
    expect(await register("one", { platform })).toMatchObject({ platform, provider })
    const other = provider === "push_a" ? "push_b" : "push_a"
    expect(await register("two", { platform, provider: other })).toMatchObject({ platform, provider: other })
  })

  it("that are registered again are the same, active, and the caller's", async () => {
    const { world, projectId, userId, otherId, register, stored } = await pushWorld()
    const device = await register("one")
    const gone = { is_active: false, deactivated_at: new Date(0), deactivated_reason: "Unregistered" }
    await world.run(world.tenants.transact(projectId, (db) => db.pushTokens.update(device.id, gone)))
    world.clock.advance("1 hour")
    const again = await register("one", { platform: "android" }, otherId)
    expect(again).toMatchObject({ id: device.id, created_at: device.created_at, app_user_id: otherId, is_active: true })
    expect([await stored(userId), await stored(otherId)]).toEqual([[], [again]])
    expect(again).toMatchObject({ provider: "push_b", deactivated_at: null, deactivated_reason: null })
    expect(again.registered_at).toEqual(world.clock.now())
  })

  it("beyond 20 active ones of a user go inactive, the one registered longest ago first", async () => {
    const { world, register, stored, otherId } = await pushWorld()
    await register("theirs", {}, otherId)
    for (let n = 0; n < 20; n += 1) {
      await register(`device ${n}`)
      world.clock.advance("1 second")
    }
    await register("device 0")
    world.clock.advance("1 second")
    await register("device 20")
    const rows = await stored()
    const inactive = rows.filter(({ is_active }) => !is_active)
    expect([rows.length, inactive.length, await stored(otherId)]).toEqual([
      21,
      1,
      [expect.objectContaining({ is_active: true })],
    ])
    expect(inactive[0]).toMatchObject({
      ...{ token: "device 1", deactivated_at: world.clock.now(), deactivated_reason: "TOO_MANY_DEVICES" },
    })
  })

  it("that many register at once are never more than 20 active ones", async () => {
    const { world, projectId, userId, stored } = await pushWorld()
    const calls = Array.from({ length: 60 }, (_, n) =>
      world.core.pushTokens.register(projectId, userId, { token: `device ${n % 40}`, platform: "web" }),
    )
    await world.run(Effect.all(calls, { concurrency: "unbounded" }))
    const rows = await stored()
    expect([rows.length, rows.filter(({ is_active }) => is_active).length]).toEqual([40, 20])
  })

  it("are forgotten by their own user alone", async () => {
    const { register, remove, stored, userId, otherId } = await pushWorld()
    const device = await register("one")
    await remove("one", otherId)
    await remove("two")
    expect(await stored(userId)).toEqual([device])
    await remove("one")
    await remove("one")
    expect(await stored(userId)).toEqual([])
  })

  it("of a user who is gone are not registered", async () => {
    const { world, projectId, userId } = await pushWorld()
    await world.run(world.core.users.remove(projectId, userId))
    const { register, remove } = world.core.pushTokens
    for (const call of [register(projectId, userId, { token: "a", platform: "ios" }), remove(projectId, userId, "a")])
      expect(await world.run(Effect.flip(call))).toMatchObject({ code: "INVALID_TOKEN" })
  })
})
