import { type AnyWorkflow, type Ports, ServiceUnavailable } from "@hearth/core"
import type { PushOutcome } from "@hearth/core/push"
import { aPushDelivery } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { queueThatBreaks } from "../segments/world.ts"
import { noon, pushWorld } from "./world.ts"

const retry = (after_seconds: number | null): PushOutcome => ({ kind: "retry", reason: "Busy", after_seconds })
const sent: PushOutcome = { kind: "sent", provider_message_id: null }
const at = (millis: number) => new Date(noon.getTime() + millis)

describe("what a provider does not accept [E9]", () => {
  it("is tried again after Retry-After, and not before", async () => {
    const { world, gateway, user, campaign, send, read, states } = await pushWorld()
    const [{ tokens }] = [await user(), await user()]
    gateway.answer(tokens[0]?.token as string, retry(90), sent)
    const row = await campaign()
    await send(row)
    expect([await read(row), await states(row)]).toMatchObject([{ status: "sending" }, { sent: 1, pending: 1 }])
    await world.advance("89 seconds")
    expect(gateway.pushes).toHaveLength(2)
    await world.advance("11 seconds")
    expect([await read(row), await states(row)]).toMatchObject([{ status: "sent" }, { sent: 2 }])
    const again = gateway.pushes.filter(({ message }) => message.token === tokens[0]?.token)
    expect(again.map((push) => push.at.getTime() >= at(90_000).getTime())).toEqual([false, true])
  })

  it("pauses the provider for the others too, where most of a batch is not accepted", async () => {
    const { world, gateway, user, campaign, send, states } = await pushWorld()
    for (let users = 0; users < 3; users += 1) await user()
    let isBusy = true
    gateway.answerWith(() => (isBusy ? retry(60) : null))
    const row = await campaign()
    await send(row)
    isBusy = false
    expect([gateway.pushes.length, await states(row)]).toEqual([3, { pending: 3 }])
    await world.advance("2 minutes")
    expect([gateway.pushes.length, await states(row)]).toEqual([6, { sent: 3 }])
  })

  it("has failed after eight tries, within a day", async () => {
    const { world, gateway, user, campaign, send, read, deliveries, stats } = await pushWorld()
    await user()
    gateway.answerWith(() => retry(null))
    const row = await campaign()
    await send(row)
    await world.advance("1 day")
    expect(gateway.pushes).toHaveLength(8)
    expect(await deliveries(row.id)).toMatchObject([{ status: "failed", error: "Busy", tries: 8 }])
    expect([await read(row), await stats(row)]).toMatchObject([{ status: "sent" }, { failed: 1, sent: 0 }])
  })

  it("without an answer is unknown, and not sent again", async () => {
    const { world, gateway, user, campaign, send, read, states, stats } = await pushWorld()
    await user()
    gateway.answerWith(() => ({ kind: "unknown", reason: "Timeout" }))
    const row = await campaign()
    await send(row)
    await world.advance("1 hour")
    expect([await read(row), await states(row), gateway.pushes.length]).toMatchObject([
      { status: "sent" },
      { unknown: 1 },
      1,
    ])
    expect(await stats(row)).toMatchObject({ unknown: 1, sent: 0, recipients: 1 })
  })
})

it("what was sent is written when the control database is back", async () => {
  let isAway = false
  const { world, gateway, user, campaign, send, states, stats } = await pushWorld({
    ports: ({ control }) => ({
      control: {
        read: (work) => (isAway ? Effect.die(new ServiceUnavailable()) : control.read(work)),
        transact: (work) => (isAway ? Effect.die(new ServiceUnavailable()) : control.transact(work)),
      },
    }),
  })
  await user()
  const row = await campaign()
  gateway.answerWith(() => {
    isAway = true
    return null
  })
  const sending = send(row)
  await expect.poll(() => gateway.pushes.length).toBe(1)
  isAway = false
  await world.advance("2 seconds")
  await sending
  expect([await states(row), (await stats(row))?.sent]).toEqual([{ sent: 1 }, 1])
})

describe("a campaign that is cancelled [H4.6]", () => {
  it("sends nothing further; what was claimed is finished, what waited is skipped", async () => {
    const { world, transact, gateway, user, campaign, send, read, deliveries, stats } = await pushWorld()
    const row = await campaign({ delivery_mode: "local_time", local_date: "2026-03-01", local_time: "12:00:00" })
    await user()
    await user([{}], { timezone: "America/New_York" })
    gateway.answerWith(() =>
      Effect.promise(() =>
        world.run(
          world.tenants.transact(projectOf(), (db) =>
            Effect.orDie(db.pushCampaigns.update(row.id, { status: "cancelled" })),
          ),
        ),
      ).pipe(Effect.as(sent)),
    )
    const projectOf = () => gateway.pushes[0]?.project_id as string
    await send(row)
    await world.advance("10 minutes")
    expect(await read(row)).toMatchObject({ status: "cancelled", sent_at: null })
    expect((await deliveries(row.id)).map(({ status, error }) => `${status} ${error}`).toSorted()).toEqual([
      ...["sent null", "skipped CANCELLED"],
    ])
    expect(await stats(row)).toMatchObject({ sent: 1, recipients: 2, skipped: 0, failed: 0 })
    await world.advance("1 day")
    expect(gateway.pushes).toHaveLength(1)
    expect(await transact((db) => db.pushStats.listOpen(10))).toEqual([])
  })
})

describe("a process that dies [E9]", () => {
  it("leaves claims that are unknown after two minutes, and the rest is sent", async () => {
    const { world, gateway, user, campaign, send, read, states, stats } = await pushWorld()
    const [{ tokens }] = [await user(), await user()]
    gateway.answer(tokens[0]?.token as string, Effect.die(new Error("The process was killed.")))
    const row = await campaign()
    await send(row, { allowDeaths: true })
    expect(await read(row)).toMatchObject({ status: "sending" })
    await world.advance("5 minutes")
    expect([await read(row), await states(row)]).toMatchObject([{ status: "sent" }, { unknown: 2 }])
    expect([await stats(row), gateway.pushes.length]).toMatchObject([{ unknown: 2, sent: 0 }, 2])
  })

  it("before it began leaves a campaign that the reconciler finds [E10]", async () => {
    const { world, gateway, user, campaign, read } = await pushWorld()
    await user()
    const row = await campaign()
    const scheduled = await campaign({ status: "scheduled", scheduled_at: at(10 * 60_000) })
    const overdue = await campaign({ status: "scheduled", scheduled_at: at(-10 * 60_000) })
    await world.advance("1 minute")
    expect([await read(row), await read(overdue), await read(scheduled)]).toMatchObject([
      ...[{ status: "sent" }, { status: "sent" }, { status: "scheduled" }],
    ])
    await world.advance("9 minutes")
    expect([await read(scheduled), gateway.pushes.length]).toMatchObject([
      { status: "sent", sent_at: at(10 * 60_000) },
      3,
    ])
  })

  it("without the queue nothing is lost: the reconciler sends when it is back", async () => {
    const queue = queueThatBreaks()
    const { world, user, campaign, read } = await pushWorld({ ports: (memory: Ports) => queue.ports(memory) })
    await user()
    const row = await campaign()
    queue.state.isDown = true
    await world.advance("5 minutes")
    expect(await read(row)).toMatchObject({ status: "sending" })
    queue.state.isDown = false
    await world.advance("1 minute")
    expect(await read(row)).toMatchObject({ status: "sent" })
  })

  it("in the middle of another's claims waits for these, without sending them", async () => {
    const { world, transact, gateway, user, campaign, read, states } = await pushWorld()
    const { userId, tokens } = await user()
    const row = await campaign({ started_at: noon })
    await transact((db) =>
      Effect.gen(function* () {
        const audience = yield* db.pushDeliveries.gather({ id: row.id, segment_id: null })
        yield* audience.writeDeliveries([], null)
        const own = { app_user_id: userId, campaign_id: row.id, push_token_id: tokens[0]?.id as string }
        yield* db.pushDeliveries.insert(aPushDelivery({ ...own, status: "claimed", claimed_at: noon, tries: 1 }))
      }),
    )
    await world.advance("1 minute")
    expect([await read(row), await states(row)]).toMatchObject([{ status: "sending" }, { claimed: 1 }])
    await world.advance("2 minutes")
    expect([await read(row), await states(row), gateway.pushes]).toMatchObject([{ status: "sent" }, { unknown: 1 }, []])
  })
})

it("a campaign whose project is gone is not tried again", async () => {
  const { world, projectId, ownerId, user } = await pushWorld()
  await user()
  const scheduled_at = new Date(noon.getTime() + 3_600_000).toISOString()
  await world.run(world.core.pushCampaigns.create(projectId, { title: "Sale!", body: "Cheap.", scheduled_at }))
  await world.run(world.core.projects.remove(projectId, ownerId))
  await world.advance("1 day")
  expect([world.deaths, await world.run(world.workflows.backlog())]).toEqual([[], { waiting: 0, oldest_seconds: 0 }])
})

describe("several processes at once [E9]", () => {
  test.each([1, 2, 3])("ask for no device twice (%i)", async (round) => {
    const { world, projectId, gateway, user, campaign, read, states } = await pushWorld()
    for (let users = 0; users < 40 * round; users += 1) await user([{}, { provider: "push_b", platform: "web" }])
    const row = await campaign()
    gateway.delay("10 millis")
    const others = Array.from({ length: 3 }, () => world.otherProcess())
    const run = (core: typeof world.core) => {
      const workflow = core.background.workflows.find(({ name }) => name === "push-campaign")
      if (workflow === undefined) throw new Error("There is a workflow of campaigns.")
      return (workflow as AnyWorkflow).run({ project_id: projectId, campaign_id: row.id })
    }
    const all = world.run(Effect.all([world.core, ...others].map(run), { concurrency: "unbounded", discard: true }))
    await world.advance("10 minutes")
    await all
    expect([await read(row), await states(row)]).toMatchObject([{ status: "sent" }, { sent: 80 * round }])
    const ids = gateway.pushes.map(({ message }) => message.delivery_id)
    expect([ids.length, new Set(ids).size]).toEqual([80 * round, 80 * round])
  })
})
