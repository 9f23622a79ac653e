import { afterAll, expect, it } from "vitest"
import { ids } from "../server.ts"
import { streakServer } from "../streaks/harness.ts"

const server = streakServer()
afterAll(server.close)

it("a batch locks all of its users in one order, also those whose events are no activity", async () => {
  const world = await server.world()
  const board = {
    name: "B",
    metric: "custom",
    period: "all_time",
    max_entries: 5,
    custom_event: "group_joined",
  } as const
  const { id: leaderboard } = await world.run(world.core.leaderboards.create(world.project, board))
  await world.process()
  const [idle = "", active = ""] = (await world.users(2)).toSorted()
  const joined = (app_user_id: string) => ({
    ...{ app_user_id, event_name: "group_joined", properties: {}, id: ids.uuid() },
    ...{ occurred_at: new Date(), received_at: new Date(), cause_key: ids.uuid() },
  })
  const events = [{ app_user_id: active, event_name: "walk" }]
  await world.run(world.core.events.record(world.project, { events }))
  await world.run(world.tenants.transact(world.project, (db) => db.events.insertCaused([joined(idle), joined(active)])))
  const other = await world.begin(`select from app_users where id = '${idle}' for no key update`)
  const processed = world.process()
  await world.somebodyWaits()
  // Who waits for the first user has not locked the second.
  const next = await world.begin(`select from app_users where id = '${active}' for no key update nowait`)
  await next.commit()
  await other.commit()
  await processed
  expect(world.failures()).toEqual([])
  const page = { limit: 5, offset: 0 }
  const { rows } = await world.run(world.core.leaderboards.entries(world.project, leaderboard, page))
  expect(rows.map(({ app_user_id }) => app_user_id).toSorted()).toEqual([idle, active])
  await world.close()
})
