import { anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { scheduleWorld } from "./schedule-world.ts"

const at = (instant: string) => new Date(instant)
const [yesterday, tomorrow, friday] = [at("2026-03-03T09:00Z"), at("2026-03-04T09:00Z"), at("2026-03-06T09:00Z")]

/** A daily schedule at ten o'clock on Tuesday, 3 March: that day's tick is delivered, as `a`. */
const tuesday = async () => {
  const made = await scheduleWorld()
  const items = new Map<string, string>()
  for (const [index, title] of [..."abcd"].entries())
    items.set(title, (await made.item({ title, sort_order: index + 1 })).id)
  const { id } = await made.create({ config: { cron: "0 9 * * *" } })
  await made.world.advance("1 day")
  const deliverFrom = async (tick_at: Date, title: string) => {
    const item_id = items.get(title) ?? ""
    const delivery = { id: anId(), schedule_id: id, item_id, tick_at, round: 0, delivered_at: tick_at }
    const moved = { last_tick_at: tick_at, last_item_id: item_id, last_sort_order: title.charCodeAt(0) - 96 }
    await made.transact((db) =>
      Effect.andThen(
        Effect.orDie(db.contentDeliveries.insert(delivery)),
        Effect.orDie(db.contentSchedules.update(id, moved)),
      ),
    )
  }
  return { ...made, id, deliverFrom }
}

describe("after a worker whose clock was three days ahead, a schedule", () => {
  it("goes on with its next tick, and delivers none twice", async () => {
    const { world, id, deliverFrom, delivered, row } = await tuesday()
    await deliverFrom(friday, "b")
    await world.advance("1 minute")
    expect((await row(id))?.last_tick_at).toEqual(yesterday)
    await world.advance("1 day")
    expect(await delivered(id)).toEqual([
      { title: "a", tick_at: yesterday },
      { title: "c", tick_at: tomorrow },
      { title: "b", tick_at: friday },
    ])
  })

  it("passes over what was delivered early, and goes on after it", async () => {
    const { world, id, deliverFrom, delivered, row } = await tuesday()
    await deliverFrom(friday, "b")
    await world.advance("3 days")
    expect((await row(id))?.last_tick_at).toEqual(friday)
    await world.advance("1 day")
    expect((await delivered(id)).map(({ title }) => title).join("")).toBe("acdba")
  })

  it("that was made or changed meanwhile begins now", async () => {
    const { world, id, transact, delivered } = await tuesday()
    await transact((db) => Effect.orDie(db.contentSchedules.update(id, { looks_from: friday, last_tick_at: null })))
    await world.advance("22 hours")
    expect(await delivered(id)).toHaveLength(1)
    await world.advance("1 hour")
    expect(await delivered(id)).toMatchObject([{ title: "a" }, { title: "b", tick_at: tomorrow }])
  })
})

it("has its next tick also where its last one is a minute ahead", async () => {
  const { world, id, transact, delivered } = await tuesday()
  const last_tick_at = new Date(world.clock.now().getTime() + 60_000)
  await transact((db) => Effect.orDie(db.contentSchedules.update(id, { last_tick_at })))
  await world.advance("1 minute")
  expect(await delivered(id)).toHaveLength(1)
})
