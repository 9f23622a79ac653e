import { expect } from "vitest"
import { integrationConfigs } from "../harness/integrations.ts"
import type { Tour } from "../harness/tour.ts"

/** Integrations: set, listed and removed, with no secret in an answer. */
export const tour: Tour = async ({ admin }) => {
  const configs = Object.entries(integrationConfigs())
  for (const [provider, config] of configs) {
    const put = await admin("PUT /integrations/:provider", { provider, body: { config } })
    expect(put).toMatchObject({ provider, is_active: true, has_secret: true })
    expect(Object.keys(put).sort()).toEqual(["config", "has_secret", "is_active", "provider", "updated_at"])
  }
  const listed = await admin<ReadonlyArray<{ provider: string }>>("GET /integrations")
  expect(listed.map(({ provider }) => provider)).toEqual(configs.map(([provider]) => provider).sort())
  expect(JSON.stringify(listed)).not.toMatch(/PRIVATE KEY|a \w+ secret/)
  for (const [provider] of configs) {
    expect(await admin("DELETE /integrations/:provider", { provider })).toEqual({ deleted: true })
  }
  expect(await admin("GET /integrations")).toEqual([])
}
