import { createEngagement } from "@hearth/core"
import { type ManualClock, memoryIds, testWorld } from "@hearth/testing"
import { expect, it } from "vitest"

/** The clock of a process that differs by so much from that of the database. */
const off = (clock: ManualClock, millis: number) => ({ now: () => new Date(clock.now().getTime() + millis) })

const names = (events: ReadonlyArray<{ readonly name: string | null }> | null) =>
  (events ?? []).map(({ name }) => name).filter((name) => name !== null)

/** A process of the world whose clock differs by so much. */
const setUp = async () => {
  const world = testWorld()
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const makeProcess = (millis: number) => {
    const clock = off(world.clock, millis)
    return createEngagement({ ...world.ports, clock, ids: memoryIds(clock, millis + 100_000) })
  }
  const listen = (core: ReturnType<typeof makeProcess>, after: string | null = null, millis = 3_600_000) => {
    const expires_at = new Date(world.clock.now().getTime() + millis)
    return world.run(core.live.ofUser(projectId, { user_id: userId, session_id: "session", expires_at }, after))
  }
  const award = (core: ReturnType<typeof makeProcess>) => world.run(core.xp.award(projectId, userId, { amount: 5 }))
  return { world, makeProcess, listen, award }
}

it.each([
  [30_000, -30_000],
  [-30_000, 30_000],
])(
  "tells what is written by a process whose clock differs: %j ms for who reads, %j for who writes",
  async (reads, writes) => {
    const { world, makeProcess, listen, award } = await setUp()
    const [reader, writer] = [makeProcess(reads), makeProcess(writes)]
    const stream = await listen(reader)
    expect(names(await stream.next())).toEqual(["open"])
    const next = stream.next()
    await award(writer)
    await world.advance("1 second")
    expect(names(await next)).toEqual(["xp"])
    reader.live.stop()
  },
)

it.each([
  [30_000, -30_000, -30_000],
  [-30_000, 30_000, -30_000],
  [30_000, 30_000, -30_000],
  [-30_000, -30_000, -30_000],
])("reads on at another server, or says that something is lost: %j, %j and %j ms", async (first, then, writes) => {
  for (const minutes of [0, 3, 3.9, 4.5, 5.5, 7]) {
    const { world, makeProcess, listen, award } = await setUp()
    const [one, other, writer] = [makeProcess(first), makeProcess(then), makeProcess(writes)]
    const stream = await listen(one)
    const [opened] = (await stream.next()) ?? []
    one.live.stop()
    await award(writer)
    await world.advance(minutes * 60_000)
    const resumed = names(await (await listen(other, opened?.id ?? "")).next())
    expect(["open xp", "reset"], `after ${minutes} minutes`).toContain(resumed.join(" "))
    if (minutes < 4) expect(resumed).toEqual(["open", "xp"])
    other.live.stop()
  }
})

it("gives a sign of life also where the clock was set back", async () => {
  const { world, listen } = await setUp()
  let ahead = 3_600_000
  const clock = { now: () => new Date(world.clock.now().getTime() + ahead) }
  const core = createEngagement({ ...world.ports, clock, ids: memoryIds(clock, 1) })
  const stream = await listen(core, null, 2 * ahead)
  await stream.next()
  const beat = stream.next()
  ahead = 0
  await world.advance("16 seconds")
  expect(await beat).toMatchObject([{ name: null, data: "" }])
  core.live.stop()
})
