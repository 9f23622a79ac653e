import { createEngagement, type Engagement } from "@hearth/core"
import { defaultLimits } from "@hearth/core/limits"
import {
  manualClock,
  memoryIdentityVerifier,
  memoryMailer,
  memoryPasswordHashers,
  memoryRateLimiter,
  memoryRevocations,
  memoryTokens,
  memoryWorkflows,
  recordedSignals,
} from "@hearth/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Postgres } from "../../../src/postgres/index.ts"
import { systemClock, systemIds } from "../../../src/system/index.ts"
import { testServer } from "../server.ts"

it("creations at once in two processes keep to the quota of their developer", { timeout: 60_000 }, async () => {
  const server = testServer()
  const clock = systemClock
  const shared = {
    ...{ clock, identities: memoryIdentityVerifier(clock), mailer: memoryMailer(), signals: recordedSignals() },
    limiter: memoryRateLimiter(clock),
    passwords: memoryPasswordHashers(),
    revocations: memoryRevocations(),
    tokens: memoryTokens(clock),
    workflows: memoryWorkflows(manualClock(), () => {}),
  }
  const limits = { ...defaultLimits, owned_projects: 3 }
  const node = ({ control, tenants }: Postgres): Engagement =>
    createEngagement({ ...shared, control, tenants, ids: systemIds(clock) }, { limits })
  try {
    const nodes = [node(await server.open()), node(await server.open())] as const
    const account = { email: "dev@example.com", password: "correct horse" }
    const { developer } = await Effect.runPromise(nodes[0].developers.signup(account))
    const project = { name: "Race", bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => {
        const creation = nodes[turn % 2 === 0 ? 0 : 1].projects.create(developer.id, project)
        return Effect.runPromise(
          Effect.match(creation, { onFailure: ({ code }): string => code, onSuccess: () => "made" }),
        )
      }),
    )
    expect(outcomes.toSorted()).toEqual([...Array(5).fill("QUOTA_EXCEEDED"), ...Array(3).fill("made")])
    const { total } = await Effect.runPromise(nodes[1].projects.list(developer.id, { limit: 10, offset: 0 }))
    expect(total).toBe(3)
  } finally {
    await server.close()
  }
})
