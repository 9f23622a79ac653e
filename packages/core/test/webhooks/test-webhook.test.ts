import { writeIntegration } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { webhookWorld } from "./world.ts"

describe("a test of the webhooks of a project", () => {
  it("is processed like a test of the subscription provider", async () => {
    const { world, projectId, list } = await webhookWorld()
    const { provider_event_id } = await world.run(world.core.webhooks.test(projectId, "subscription"))
    expect(await list()).toMatchObject([{ provider_event_id, event_type: "TEST", status: "received" }])
    await world.advance("1 minute")
    expect(await list()).toMatchObject([{ provider_event_id, status: "processed", app_user_id: null }])
  })

  test.each([
    ["hex", "a secret of a paywall"],
    ["standard", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    ["standard", "a secret of a paywall"],
  ])("is taken in by a paywall of the scheme %s with the secret %s", async (signature_scheme, webhook_secret) => {
    const { world, projectId, list } = await webhookWorld()
    await world.run(writeIntegration(world.ports, projectId, "paywall", { webhook_secret, signature_scheme }))
    const { provider_event_id } = await world.run(world.core.webhooks.test(projectId, "paywall"))
    expect(await list({ provider: "paywall" })).toMatchObject([
      { provider_event_id, event_type: "test", status: "ignored", error: "The body has no user_id." },
    ])
  })

  it("is refused where the project takes no webhooks of the provider", async () => {
    const { world, projectId, list } = await webhookWorld()
    expect(await world.run(Effect.flip(world.core.webhooks.test(projectId, "paywall")))).toMatchObject({
      code: "NOT_CONFIGURED",
    })
    expect(await list()).toEqual([])
  })
})
