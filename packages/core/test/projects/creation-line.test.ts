import { TenantBusy } from "@hearth/core"
import { type TestWorld, testWorld } from "@hearth/testing"
import { Effect, Fiber, Result } from "effect"
import { describe, expect, it } from "vitest"

const input = { name: "Tracker", bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }

/** A world in which databases are made when `release` is called. */
const heldWorld = () => {
  const held: Array<() => void> = []
  const most = { atOnce: 0 }
  const world = testWorld({
    ports: ({ tenants }) => ({
      tenants: {
        ...tenants,
        create: (projectId) =>
          Effect.andThen(
            Effect.promise(() => {
              const { promise, resolve } = Promise.withResolvers<void>()
              held.push(resolve)
              most.atOnce = Math.max(most.atOnce, held.length)
              return promise
            }),
            tenants.create(projectId),
          ),
      },
    }),
  })
  const release = () => {
    for (const resolve of held.splice(0)) resolve()
  }
  return { world, held, most, release }
}

/** A creation by each of so many developers in turn, ten by each: fewer than the limit of one developer. */
const creationsIn = async ({ run, core }: TestWorld, count: number) => {
  const creations: Array<ReturnType<typeof core.projects.create>> = []
  while (creations.length < count) {
    const signup = { email: `ada${creations.length}@example.com`, password: "correct horse" }
    const { developer } = await run(core.developers.signup(signup))
    for (let n = 0; n < 10; n += 1) creations.push(core.projects.create(developer.id, input))
  }
  return creations.slice(0, count)
}

describe("creating many projects at once", () => {
  it("does a few at a time, lets some wait, and refuses the others before they leave anything", async () => {
    const { world, held, most, release } = heldWorld()
    const rows = () => world.run(world.control.read((db) => db.projects.list({}, [])))
    const creations = (await creationsIn(world, 130)).map((create) => world.run(Effect.result(create)))
    await expect.poll(() => held.length).toBe(2)
    expect(await rows()).toHaveLength(2)

    let isDone = false
    const all = Promise.all(creations).finally(() => {
      isDone = true
    })
    while (!isDone) {
      release()
      await new Promise(setImmediate)
    }
    const results = await all
    const refused = results.filter(Result.isFailure).map(({ failure }) => failure)
    const created = results.filter(Result.isSuccess)
    expect([created.length, refused.length, most.atOnce]).toEqual([52, 78, 2])
    expect(await rows()).toHaveLength(52)
    expect(refused[0]).toStrictEqual(new TenantBusy({ retry_after_seconds: 5 }))
  })

  it("frees the place of one who gives up or fails", async () => {
    const { world, held, release } = heldWorld()
    const [create, ...others] = await creationsIn(world, 53)
    if (create === undefined) throw new Error("There are 53.")
    const fibers = await Promise.all(others.map((other) => world.run(Effect.forkDetach(other))))
    await expect.poll(() => held.length).toBe(2)
    expect((await world.run(Effect.flip(create))).code).toBe("TENANT_BUSY")
    await Promise.all(fibers.map((fiber) => world.run(Fiber.interrupt(fiber))))
    held.length = 0
    const again = world.run(create)
    await expect.poll(() => held.length).toBe(1)
    release()
    expect((await again).name).toBe("Tracker")
  })
})
