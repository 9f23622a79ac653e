import type { PushOutcome } from "@hearth/core/push"
import { anId, writeIntegration } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { campaignWorld } from "./campaign-world.ts"

const texts = { title: "Hi {{display_name|you}}", body: "There" }
const device = { device_token: "abc", provider: "push_b" }

const testingWorld = async () => {
  const base = await campaignWorld()
  const { world, projectId, core } = base
  return {
    ...base,
    tryPush: (more: object) => world.run(core.test(projectId, { ...texts, ...more })),
    refused: (more: object) => world.run(Effect.flip(core.test(projectId, { ...texts, ...more }))),
  }
}

describe("a test of a push", () => {
  it("goes to the device that the user registered last, its texts filled, and leaves nothing", async () => {
    const { world, projectId, user, tryPush, gateway, transact, device: stored } = await testingWorld()
    const minutes = (n: number) => new Date(Date.UTC(2026, 1, 1, 0, n))
    const { userId, tokens } = await user([
      ...[{ registered_at: minutes(1) }, { registered_at: minutes(3), provider: "push_b" as const }],
      { registered_at: minutes(4), is_active: false },
    ])
    await world.run(world.core.users.update(projectId, userId, { display_name: "Ada" }))
    const answer = await tryPush({ app_user_id: userId, data: { a: 1 }, options: { badge: 2 } })
    expect(answer).toEqual({
      ...{ sent: true, delivery_id: expect.any(String), provider: "push_b" },
      provider_message_id: `memory-${answer.delivery_id}`,
    })
    expect(gateway.pushes.map(({ message }) => message)).toEqual([
      {
        ...{ delivery_id: answer.delivery_id, token: tokens[1]?.token, title: "Hi Ada", body: "There" },
        ...{ data: { a: 1 }, options: { badge: 2 } },
      },
    ])
    expect(await transact((db) => db.pushCampaigns.list({}, []))).toEqual([])
    expect(await Promise.all(tokens.map(stored))).toEqual(tokens)
    const receipt = { delivery_id: answer.delivery_id, type: "opened" as const }
    expect(await world.run(Effect.flip(world.core.pushReceipts.receive(projectId, userId, receipt)))).toMatchObject({
      code: "NOT_FOUND",
    })
  })

  it("goes to a device that nobody has registered, with the defaults of its texts", async () => {
    const { tryPush, gateway } = await testingWorld()
    await tryPush(device)
    expect(gateway.pushes).toMatchObject([
      { provider: "push_b", version: null, message: { token: "abc", title: "Hi you" } },
    ])
  })

  it("is refused for a user without an active device", async () => {
    const { user, refused } = await testingWorld()
    const { userId } = await user([{ is_active: false }])
    for (const app_user_id of [userId, anId()])
      expect(await refused({ app_user_id })).toMatchObject({ code: "NO_ACTIVE_TOKEN", kind: "not_found" })
  })

  it("goes through the project's account where it has one, and nowhere without one or a development gateway [H4.2]", async () => {
    const { world, projectId, tryPush, refused, gateway } = await testingWorld()
    gateway.setDevelopment(false)
    expect(await refused(device)).toMatchObject({
      ...{ code: "SEND_FAILED", kind: "upstream" },
      details: { delivery_id: expect.any(String), provider: "push_b", provider_message_id: null, invalid_token: false },
    })
    await world.run(writeIntegration(world.ports, projectId, "push_b"))
    world.clock.advance("11 seconds")
    await tryPush(device)
    expect(gateway.pushes).toMatchObject([{ version: expect.any(String) }])
  })

  const outcomes: ReadonlyArray<readonly [PushOutcome, string, boolean]> = [
    [{ kind: "dead_token", reason: "Unregistered", since: null }, "PUSH_FAILED", true],
    [{ kind: "rejected", reason: "Any" }, "PUSH_FAILED", false],
    [{ kind: "bad_payload", reason: "Any" }, "PUSH_FAILED", false],
    [{ kind: "misconfigured", reason: "InvalidProviderToken" }, "PUSH_FAILED", false],
    [{ kind: "retry", reason: "Any", after_seconds: 5 }, "SEND_FAILED", false],
    [{ kind: "unknown", reason: "Timeout" }, "SEND_FAILED", false],
  ]
  test.each(outcomes)("that comes to %j is %s", async (outcome, code, invalid_token) => {
    const { refused, gateway, user, device: stored } = await testingWorld()
    const { userId, tokens } = await user([{ token: "abc", provider: "push_b" }])
    gateway.answer("abc", outcome)
    const failure = await refused({ app_user_id: userId })
    const said = "reason" in outcome ? outcome.reason : ""
    expect(failure).toMatchObject({ code, kind: "upstream", message: expect.stringContaining(`: ${said}.`) })
    expect(failure).toHaveProperty("details", {
      ...{ delivery_id: gateway.pushes[0]?.message.delivery_id, provider: "push_b" },
      ...{ provider_message_id: null, invalid_token },
    })
    expect(await Promise.all(tokens.map(stored))).toEqual(tokens)
  })

  it("that is too large is not sent [H4.3]", async () => {
    const { refused, gateway } = await testingWorld()
    expect(await refused({ ...device, data: { a: "x".repeat(4_096) } })).toMatchObject({ code: "PUSH_FAILED" })
    expect(gateway.pushes).toEqual([])
  })
})
