import { anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { pushWorld } from "./world.ts"

const sentWorld = async () => {
  const world = await pushWorld()
  const { userId } = await world.user()
  const row = await world.campaign()
  await world.send(row)
  const [delivery] = await world.deliveries(row.id)
  const delivery_id = delivery?.id as string
  const receive = (type: "delivered" | "opened", by = userId, id = delivery_id) =>
    world.world.core.pushReceipts.receive(world.projectId, by, { delivery_id: id, type })
  const opened = async () => (await world.events(userId)).filter(({ event_name }) => event_name === "push_opened")
  return { ...world, userId, row, delivery_id, receive, opened }
}

describe("receipts [H4.4]", () => {
  it("count once, set delivered with opened, and write push_opened once [H4.7]", async () => {
    const { world, receive, delivery_id, row, stats, opened } = await sentWorld()
    const first = await world.run(receive("opened"))
    expect(first).toEqual({ delivery_id, delivered_at: world.clock.now(), opened_at: world.clock.now() })
    world.clock.advance("1 minute")
    expect([await world.run(receive("opened")), await world.run(receive("delivered"))]).toEqual([first, first])
    expect(await stats(row)).toMatchObject({ sent: 1, delivered: 1, opened: 1 })
    expect(await opened()).toEqual([{ event_name: "push_opened", properties: { campaign_id: row.id, delivery_id } }])
  })

  it("of delivered alone leave opened as it is, and write no event", async () => {
    const { world, receive, row, stats, opened } = await sentWorld()
    expect(await world.run(receive("delivered"))).toMatchObject({ opened_at: null })
    expect([await stats(row), await opened()]).toMatchObject([{ delivered: 1, opened: 0 }, []])
  })

  it("of ten calls at once count once", async () => {
    const { world, receive, row, stats, opened } = await sentWorld()
    await world.run(
      Effect.all(
        Array.from({ length: 10 }, () => receive("opened")),
        { concurrency: "unbounded" },
      ),
    )
    expect([await stats(row), await opened()]).toMatchObject([{ delivered: 1, opened: 1 }, [{}]])
  })

  it("are not found for an unknown delivery, and equally for somebody else's", async () => {
    const { world, user, receive, row, stats } = await sentWorld()
    const { userId: other } = await user()
    const unknown = await world.run(Effect.flip(receive("opened", other, anId())))
    expect(unknown).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(Effect.flip(receive("opened", other)))).toEqual(unknown)
    expect(await stats(row)).toMatchObject({ delivered: 0, opened: 0 })
  })

  it("of a user who is gone are refused as its token", async () => {
    const { world, projectId, userId, receive } = await sentWorld()
    await world.run(world.core.users.remove(projectId, userId))
    expect(await world.run(Effect.flip(receive("opened")))).toMatchObject({ code: "INVALID_TOKEN" })
  })
})

describe("deliveries of a campaign [H4.4]", () => {
  it("are listed for developers, by status, and are not found without their campaign", async () => {
    const { world, projectId, row, delivery_id, userId } = await sentWorld()
    const list = (status: "sent" | "failed" | null, id = row.id) =>
      world.core.pushDeliveries.list(projectId, id, status, { limit: 10, offset: 0 })
    const { rows, total } = await world.run(list("sent"))
    expect([total, rows]).toMatchObject([1, [{ id: delivery_id, app_user_id: userId, status: "sent", error: null }]])
    expect(await world.run(list("failed"))).toEqual({ rows: [], total: 0 })
    expect(await world.run(Effect.flip(list(null, anId())))).toMatchObject({ code: "NOT_FOUND" })
  })

  it("are kept for 90 days after its end, the statistics for good [I0.3]", async () => {
    const { world, row, deliveries, stats } = await sentWorld()
    await world.advance("89 days")
    expect(await deliveries(row.id)).toHaveLength(1)
    await world.advance("25 hours")
    expect([await deliveries(row.id), await stats(row)]).toMatchObject([[], { sent: 1, recipients: 1 }])
  })
})
