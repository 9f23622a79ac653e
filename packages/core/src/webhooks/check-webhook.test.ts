import { manualClock, memoryRateLimiter } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import type { FindIntegration } from "../integrations/index.ts"
import { defaultLimits, makeLimits } from "../limits/index.ts"
import { makeCheckWebhook } from "./check-webhook.ts"

const project = "019b76da-a800-7000-8000-000000000001"
const other = "019b76da-a800-7000-8000-000000000002"

const setUp = (projects: ReadonlyArray<string> = [project]) => {
  const clock = manualClock()
  const find = ((project_id: string, provider: string) =>
    Effect.succeed(
      projects.includes(project_id)
        ? { provider, project_id, version: "1", webhook_secret: "the right secret", accept_sandbox: false }
        : null,
    )) as unknown as FindIntegration
  const limits = makeLimits({ clock, limiter: memoryRateLimiter(clock) }, defaultLimits)
  const check = makeCheckWebhook(find, limits)
  const call = (
    secret: string,
    { project_id = project, provider = "subscription" as "subscription" | "paywall" } = {},
  ) => {
    const isAuthentic = (integration: { readonly webhook_secret: string }) => integration.webhook_secret === secret
    const exit = Effect.runSyncExit(check({ project_id, provider, isAuthentic }))
    if (Exit.isSuccess(exit)) return exit.value.project_id === project_id.toLowerCase() ? "ok" : "another project"
    const [reason] = exit.cause.reasons
    return reason?._tag === "Fail" ? reason.error.code : exit.cause
  }
  return { call, clock }
}

describe("what is checked of a webhook", () => {
  it("is its project first, then the integration, then the secret [H2.1]", () => {
    const { call } = setUp()
    for (const project_id of ["", "no uuid", `${project}0`])
      expect(call("wrong", { project_id })).toBe("MISSING_PROJECT")
    expect(call("the right secret", { project_id: other })).toBe("NOT_CONFIGURED")
    expect(call("wrong", { project_id: other })).toBe("NOT_CONFIGURED")
    expect(call("wrong")).toBe("INVALID_SIGNATURE")
    expect(call("the right secret")).toBe("ok")
    expect(call("the right secret", { project_id: project.toUpperCase() })).toBe("ok")
  })

  it("is its secret before the limit: each has a bucket of 100 per second [H2.1]", () => {
    const { call, clock } = setUp()
    for (let count = 0; count < 100; count += 1) expect(call("wrong")).toBe("INVALID_SIGNATURE")
    expect(call("wrong")).toBe("RATE_LIMIT_EXCEEDED")
    for (let count = 0; count < 100; count += 1) expect(call("the right secret")).toBe("ok")
    expect(call("the right secret")).toBe("RATE_LIMIT_EXCEEDED")
    clock.advance("999 millis")
    expect([call("wrong"), call("the right secret")]).toEqual(["RATE_LIMIT_EXCEEDED", "RATE_LIMIT_EXCEEDED"])
    clock.advance("1 millis")
    expect([call("wrong"), call("the right secret")]).toEqual(["INVALID_SIGNATURE", "ok"])
  })

  it("counts both providers of a project together, and each project alone", () => {
    const { call } = setUp([project, other])
    for (let count = 0; count < 50; count += 1) {
      expect(call("the right secret")).toBe("ok")
      expect(call("the right secret", { provider: "paywall" })).toBe("ok")
    }
    expect(call("the right secret", { provider: "paywall" })).toBe("RATE_LIMIT_EXCEEDED")
    expect(call("the right secret", { project_id: project.toUpperCase() })).toBe("RATE_LIMIT_EXCEEDED")
    expect(call("the right secret", { project_id: other })).toBe("ok")
  })
})
