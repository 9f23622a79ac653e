import { anXpEntry, testWorld } from "@hearth/testing"
import { Effect, Latch } from "effect"
import { expect, it } from "vitest"
import { withFault } from "../faults.ts"

const names = (events: ReadonlyArray<{ readonly name: string | null }> | null) =>
  (events ?? []).map(({ name }) => name).filter((name) => name !== null)

/** A user whose stream was lost before something new came. Whoever reads on waits for the gate; `reading` tells that somebody does. */
const setUp = async () => {
  const gate = Latch.makeUnsafe(true)
  const reading = Latch.makeUnsafe()
  const world = testWorld({
    ports: ({ tenants }) => ({
      tenants: withFault(tenants, (db) => ({
        ...db,
        live: {
          ...db.live,
          ofUsers: (...given) =>
            Effect.suspend(() => {
              reading.openUnsafe()
              return Effect.andThen(gate.await, db.live.ofUsers(...given))
            }),
        },
      })),
    }),
  })
  const { projectId } = await world.aProjectWithOwner()
  const { userId: user_id } = await world.aSignedInUser(projectId)
  const expires_at = new Date(world.clock.now().getTime() + 3_600_000)
  const listen = (after: string | null) =>
    world.run(world.core.live.ofUser(projectId, { user_id, session_id: "session", expires_at }, after))
  const award = () =>
    world.run(world.tenants.transact(projectId, (db) => db.xpEntries.insertMany([anXpEntry({ app_user_id: user_id })])))
  const lost = await listen(null)
  const id = (await lost.next())?.at(-1)?.id ?? ""
  lost.close()
  await world.advance("1 second")
  await award()
  gate.closeUnsafe()
  reading.closeUnsafe()
  return { world, gate, reading, readOn: () => listen(id) }
}

it("who reads on while others are told what they have missed is told it too", async () => {
  const { world, gate, reading, readOn } = await setUp()
  const one = await readOn()
  await world.run(reading.await)
  const other = await readOn()
  gate.openUnsafe()
  expect(names(await one.next())).toEqual(["open", "xp"])
  await world.advance("1 second")
  expect(names(await other.next())).toEqual(["open", "xp"])
  world.core.live.stop()
})

it("who comes while another one of those who read on leaves is let in", async () => {
  const { world, gate, reading, readOn } = await setUp()
  const leaving = await readOn()
  await world.run(reading.await)
  leaving.close()
  const other = await readOn()
  gate.openUnsafe()
  await world.advance("5 seconds")
  expect(names(await other.next())).toEqual(["open", "xp"])
  world.core.live.stop()
})
