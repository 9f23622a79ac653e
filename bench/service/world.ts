import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { atMost, type Figure, median } from "../harness/figure.ts"

const days = 365
const rounds = 5

const aStreak = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const definition = { name: "Lessons", qualifying_event: "lesson_completed", period: "daily" } as const
  await world.run(world.core.streaks.create(projectId, definition))
  const record = () => {
    const events = [{ app_user_id: userId, event_name: definition.qualifying_event }]
    return world.run(world.core.events.record(projectId, { events }))
  }
  const count = () =>
    world.run(
      Effect.map(
        world.tenants.read(projectId, (db) => db.userStreaks.list({}, [])),
        ([streak]) => streak?.current_count,
      ),
    )
  return { world, record, count }
}

const everyDay = async (): Promise<number> => {
  const { world, record, count } = await aStreak()
  const start = performance.now()
  for (let day = 0; day < days; day += 1) {
    await record()
    await world.advance("1 day")
  }
  const millis = performance.now() - start
  if ((await count()) !== days) throw new Error("The streak is not as long as the days.")
  return millis
}

const allAtOnce = async (): Promise<number> => {
  const { world, record } = await aStreak()
  await record()
  const start = performance.now()
  await world.advance(`${days} days`)
  return performance.now() - start
}

/** A year of a test world. */
export const world = async (): Promise<ReadonlyArray<Figure>> => {
  const [daily, once]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    daily.push(await everyDay())
    once.push(await allAtOnce())
  }
  return [
    atMost("A test world, an event and a day, 365 times", "ms", median(daily), 300),
    atMost("A test world, 365 days at once", "ms", median(once), 50),
  ]
}
