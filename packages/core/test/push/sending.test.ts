import { anId, aSegment, writeIntegration } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { noon, pushWorld } from "./world.ts"

const zeros = { sent: 0, delivered: 0, opened: 0, failed: 0, recipients: 0, skipped: 0, unknown: 0 }

describe("sending a campaign [E9]", () => {
  it("reaches each active device of every user once, and ends as sent [H4.4]", async () => {
    const { world, projectId, gateway, user, campaign, send, read, stats, states, events } = await pushWorld()
    const ada = await user([{}, { provider: "push_b", platform: "android" }, { is_active: false }])
    await user()
    await user([])
    const disabled = await user()
    await world.run(world.core.users.change(projectId, disabled.userId, { is_disabled: true }))
    const row = await campaign({ data: { deep: { link: 1 } }, options: { badge: 3 } })
    await send(row)
    expect(await read(row)).toMatchObject({ status: "sent", started_at: noon, sent_at: noon, error: null })
    expect(await states(row)).toEqual({ sent: 3 })
    expect(await stats(row)).toEqual({ ...zeros, sent: 3, recipients: 2 })
    expect(new Set(gateway.pushes.map(({ message }) => message.token)).size).toBe(3)
    const [first] = gateway.pushes
    expect(first?.message).toMatchObject({ title: row.title, body: row.body, data: row.data, options: { badge: 3 } })
    const own = (await events(ada.userId)).filter(({ event_name }) => event_name === "push_sent")
    expect(own).toHaveLength(2)
    expect(own[0]?.properties).toMatchObject({ campaign_id: row.id })
    await send(row)
    expect(gateway.pushes).toHaveLength(3)
  })

  it("fills texts for each user [H4.3]", async () => {
    const { world, projectId, gateway, user, campaign, send } = await pushWorld()
    const { userId } = await user()
    const properties = { city: { name: "Bonn" }, other: "not read" }
    await world.run(world.core.users.update(projectId, userId, { display_name: "Ada", properties }))
    await send(
      await campaign({ title: "Hi {{display_name}}", body: "{{properties.city.name|?}}, {{properties.x|none}}" }),
    )
    expect(gateway.pushes.map(({ message }) => [message.title, message.body])).toEqual([["Hi Ada", "Bonn, none"]])
  })

  it("without recipients ends as sent with zeros", async () => {
    const { user, campaign, send, read, stats } = await pushWorld()
    await user([])
    const row = await campaign()
    await send(row)
    expect(await read(row)).toMatchObject({ status: "sent", sent_at: noon })
    expect(await stats(row)).toEqual(zeros)
  })

  it("evaluates its segment when it starts [E9]", async () => {
    const { world, projectId, gateway, user, campaign, send } = await pushWorld()
    const rules = { operator: "AND", conditions: [{ field: "properties.vip", op: "eq", value: true }] }
    const segment = await world.run(world.core.segments.create(projectId, { name: "VIP", description: null, rules }))
    await world.runPending()
    const [{ userId, tokens }] = [await user(), await user()]
    await world.run(world.core.users.update(projectId, userId, { properties: { vip: true } }))
    await send(await campaign({ segment_id: segment.id }))
    expect(gateway.pushes.map(({ message }) => message.token)).toEqual(tokens.map(({ token }) => token))
  })

  it("fails with a sentence where its segment is gone", async () => {
    const { user, campaign, send, read, gateway } = await pushWorld()
    await user()
    const row = await campaign({ segment_id: anId() })
    await send(row)
    expect(await read(row)).toMatchObject({ status: "failed", error: "Its segment is not there any more." })
    expect(gateway.pushes).toEqual([])
  })

  it("does not evaluate the segment of a push-schedule [H4.6]", async () => {
    const { world, transact, gateway, user, campaign, send, read } = await pushWorld()
    const { userId } = await user()
    await user()
    const row = await campaign({ scheduled_for: userId, segment_id: anId() })
    const segment = aSegment({
      id: row.segment_id as string,
      campaign_id: row.id,
      rules: { system: true },
      is_system: true,
    })
    await transact((db) =>
      Effect.andThen(db.segments.insert(segment), db.segmentMembers.add([segment.id], [userId], world.clock.now())),
    )
    await send(row)
    expect([await read(row), gateway.pushes.length]).toMatchObject([{ status: "sent" }, 1])
  })

  it("sends nothing before its time, and nothing of another time than it has now", async () => {
    const { world, user, campaign, send, read, gateway } = await pushWorld()
    await user()
    const scheduled_at = new Date("2026-03-01T13:00:00.000Z")
    const row = await campaign({ status: "scheduled", scheduled_at })
    await send(row)
    await world.advance("59 minutes")
    expect([await read(row), gateway.pushes.length]).toMatchObject([{ status: "scheduled" }, 0])
    await world.advance("1 minute")
    expect([await read(row), gateway.pushes.length]).toMatchObject([{ status: "sent", started_at: scheduled_at }, 1])
  })

  it("sends to no device that went inactive, moved on, or whose user was disabled meanwhile", async () => {
    const { world, projectId, transact, gateway, user, campaign, send, read, deliveries, stats } = await pushWorld()
    const [ada, bob, eve] = [await user(), await user(), await user()]
    const at = { local_date: "2026-03-01", local_time: "13:00:00" }
    const row = await campaign({ delivery_mode: "local_time", ...at })
    await send(row)
    const device = (id: string | undefined) => id as string
    await transact((db) => db.pushTokens.update(device(ada.tokens[0]?.id), { is_active: false }))
    await transact((db) => db.pushTokens.update(device(bob.tokens[0]?.id), { app_user_id: ada.userId }))
    await world.run(world.core.users.change(projectId, eve.userId, { is_disabled: true }))
    await world.advance("1 hour")
    expect(gateway.pushes).toEqual([])
    expect(await read(row)).toMatchObject({ status: "sent" })
    expect((await deliveries(row.id)).map(({ status, error }) => [status, error])).toEqual(
      Array.from({ length: 3 }, () => ["failed", "DEVICE_INACTIVE"]),
    )
    expect(await stats(row)).toEqual({ ...zeros, failed: 3, recipients: 3 })
  })

  it("goes on when a user is removed meanwhile", async () => {
    const { world, projectId, gateway, user, campaign, send, read, states } = await pushWorld()
    const { userId } = await user()
    await user()
    const row = await campaign({ delivery_mode: "local_time", local_date: "2026-03-01", local_time: "13:00:00" })
    await send(row)
    await world.run(world.core.users.remove(projectId, userId))
    await world.advance("1 hour")
    expect([await read(row), await states(row), gateway.pushes.length]).toMatchObject([
      { status: "sent" },
      { sent: 1 },
      1,
    ])
  })
})

describe("a campaign in local time [H4.6]", () => {
  it("fires once per zone, skips zones past by over two hours, and is sending until the last", async () => {
    const { world, gateway, user, campaign, send, read, states, stats } = await pushWorld()
    // 15:00 there is 05:00, 10:00, 12:30 and 20:00 in UTC; it is noon.
    const zones = ["Pacific/Auckland", "Europe/Athens", "Asia/Kolkata", "Africa/Abidjan", "America/New_York"]
    for (const timezone of zones) await user([{}, {}], { timezone })
    await user([{}])
    const row = await campaign({ delivery_mode: "local_time", local_date: "2026-03-01", local_time: "15:00:00" })
    await send(row)
    expect([await read(row), await states(row)]).toMatchObject([
      { status: "sending", started_at: noon },
      { skipped: 4, pending: 7 },
    ])
    expect(await stats(row)).toEqual({ ...zeros, recipients: 4, skipped: 2 })
    await world.advance("1 hour")
    expect(await states(row)).toEqual({ skipped: 4, sent: 2, pending: 5 })
    await world.advance("2 hours")
    expect(await states(row)).toEqual({ skipped: 4, sent: 5, pending: 2 })
    expect(await read(row)).toMatchObject({ status: "sending", sent_at: null })
    await world.advance("5 hours")
    expect(await read(row)).toMatchObject({ status: "sent", sent_at: new Date("2026-03-01T20:00:00.000Z") })
    expect(gateway.pushes.map(({ at }) => at.toISOString().slice(11, 16)).toSorted()).toEqual([
      ...["13:00", "13:00", "15:00", "15:00", "15:00", "20:00", "20:00"],
    ])
  })

  it("sends at once to zones that are past by two hours or less", async () => {
    const { gateway, user, campaign, send, read } = await pushWorld()
    await user([{}], { timezone: "Europe/Athens" })
    const row = await campaign({ delivery_mode: "local_time", local_date: "2026-03-01", local_time: "12:00:00" })
    await send(row)
    expect([await read(row), gateway.pushes.length]).toMatchObject([{ status: "sent" }, 1])
  })

  it("recipients, zones and times are fixed when the first group starts", async () => {
    const { world, projectId, gateway, user, campaign, send } = await pushWorld()
    const { userId, tokens } = await user([{}], { timezone: "America/New_York" })
    const row = await campaign({ delivery_mode: "local_time", local_date: "2026-03-01", local_time: "15:00:00" })
    await send(row)
    await user([{}], { timezone: "America/New_York" })
    await world.run(world.core.users.update(projectId, userId, { timezone: "America/Los_Angeles" }))
    await world.advance("12 hours")
    expect(gateway.pushes.map(({ message, at }) => [message.token, at.toISOString()])).toEqual([
      [tokens[0]?.token, "2026-03-01T20:00:00.000Z"],
    ])
  })
})

describe("credentials [H4.2]", () => {
  it("that are there are used; the development gateway takes what has none", async () => {
    const { world, projectId, gateway, user, campaign, send } = await pushWorld()
    await world.run(writeIntegration(world.ports, projectId, "push_a"))
    await user([{}, { provider: "push_b", platform: "web" }])
    await send(await campaign())
    expect(gateway.pushes.map(({ provider, version }) => [provider, version !== null]).toSorted()).toEqual([
      ...[
        ["push_a", true],
        ["push_b", false],
      ],
    ])
  })

  it("that are missing fail the campaign with a sentence before anything is sent, where nothing is embedded", async () => {
    const { world, projectId, gateway, user, campaign, send, read, states, stats, events } = await pushWorld()
    gateway.setDevelopment(false)
    await world.run(writeIntegration(world.ports, projectId, "push_a"))
    const { userId } = await user([{}, { provider: "push_b", platform: "web" }])
    const row = await campaign()
    await send(row)
    expect(await read(row)).toMatchObject({ status: "failed", sent_at: null, started_at: noon })
    expect((await read(row)).error).toBe("The project has no active credentials for push_b (FCM).")
    expect([await states(row), await stats(row)]).toEqual([{ failed: 2 }, { ...zeros, failed: 2, recipients: 1 }])
    expect([gateway.pushes, await events(userId)]).toEqual([[], []])
  })

  it("of a provider that nobody has a device of are not needed", async () => {
    const { world, projectId, gateway, user, campaign, send, read } = await pushWorld()
    gateway.setDevelopment(false)
    await world.run(writeIntegration(world.ports, projectId, "push_a"))
    await user()
    const row = await campaign()
    await send(row)
    expect([await read(row), gateway.pushes.length]).toMatchObject([{ status: "sent" }, 1])
  })

  test.each([
    ["misconfigured", "InvalidProviderToken", /push_a refuses the project's credentials: InvalidProviderToken/],
    ["bad_payload", "BadTopic", /push_a refuses the payload: BadTopic/],
  ] as const)("%s fails the campaign, ends the rest, and touches no device", async (kind, reason, sentence) => {
    const { gateway, user, campaign, send, read, states, stats, device } = await pushWorld()
    const [{ tokens }] = [await user(), await user([{}], { timezone: "Europe/Athens" })]
    gateway.answerWith(() => ({ kind, reason }))
    // Athens is at once, the others are at noon of New York.
    await user([{}], { timezone: "America/New_York" })
    const row = await campaign({ delivery_mode: "local_time", local_date: "2026-03-01", local_time: "12:00:00" })
    await send(row)
    expect(await read(row)).toMatchObject({ status: "failed", error: expect.stringMatching(sentence) })
    expect([await states(row), await stats(row)]).toEqual([{ failed: 3 }, { ...zeros, failed: 3, recipients: 3 }])
    expect(await device(tokens[0] as never)).toMatchObject({ is_active: true })
  })

  it("fails together with what became of the batch that made it fail: nobody sees one without the other", async () => {
    const seen: Array<string> = []
    const { gateway, user, campaign, send } = await pushWorld({
      ports: ({ tenants }) => ({
        tenants: {
          ...tenants,
          transact: (id, work, options) =>
            tenants.transact(id, work, options).pipe(
              Effect.tap(() =>
                Effect.map(
                  tenants.read(id, (db) => Effect.all([db.pushCampaigns.list({}, []), db.pushDeliveries.list({}, [])])),
                  ([rows, deliveries]) => {
                    const states = deliveries.map(({ status }) => status)
                    for (const { status } of rows) seen.push([status, ...states].join(" "))
                  },
                ),
              ),
            ),
        },
      }),
    })
    await user([{}, {}])
    gateway.answerWith(() => ({ kind: "misconfigured", reason: "InvalidProviderToken" }))
    await send(await campaign())
    expect(new Set(seen)).toContain("sending claimed claimed")
    expect(seen.find((state) => state.startsWith("failed"))).toBe("failed failed failed")
  })
})

describe("dead devices [E9]", () => {
  const dead = { kind: "dead_token", reason: "Unregistered", since: null } as const
  const someUsers = async (world: Awaited<ReturnType<typeof pushWorld>>, count: number) => {
    const made: Array<Awaited<ReturnType<typeof world.user>>> = []
    for (let at = 0; at < count; at += 1) made.push(await world.user())
    return made.map(({ tokens }) => tokens[0] as NonNullable<(typeof tokens)[0]>)
  }

  it("are deactivated softly, up to a fifth of a batch", async () => {
    const world = await pushWorld()
    const tokens = await someUsers(world, 10)
    const [first, second] = tokens
    for (const token of [first, second]) world.gateway.answer(token?.token as string, dead)
    const row = await world.campaign()
    await world.send(row)
    expect([await world.read(row), await world.states(row)]).toMatchObject([{ status: "sent" }, { sent: 8, failed: 2 }])
    expect(await world.device(first as never)).toMatchObject({
      ...{ is_active: false, deactivated_at: noon, deactivated_reason: "Unregistered" },
    })
    expect(await world.device(tokens[2] as never)).toMatchObject({ is_active: true, deactivated_at: null })
  })

  it("are our fault where they are more than a fifth: no device is touched, and the campaign fails", async () => {
    const world = await pushWorld()
    const tokens = await someUsers(world, 10)
    for (const { token } of tokens.slice(0, 3)) world.gateway.answer(token, dead)
    const row = await world.campaign()
    await world.send(row)
    expect(await world.read(row)).toMatchObject({ status: "failed", error: expect.stringContaining("20 %") })
    expect(await world.states(row)).toEqual({ sent: 7, failed: 3 })
    for (const token of tokens) expect(await world.device(token)).toMatchObject({ is_active: true })
  })

  it("stay active when they were registered after they were seen dead", async () => {
    const world = await pushWorld()
    const [token] = await someUsers(world, 1)
    const since = new Date((token?.registered_at.getTime() ?? 0) - 1)
    world.gateway.answer(token?.token as string, { ...dead, since })
    const row = await world.campaign()
    await world.send(row)
    expect([await world.states(row), await world.device(token as never)]).toMatchObject([
      { failed: 1 },
      { is_active: true },
    ])
  })
})
