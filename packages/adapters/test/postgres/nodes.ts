import { createEngagement, type Engagement, type TenantDb, type Tenants } from "@hearth/core"
import {
  manualClock,
  memoryIdentityVerifier,
  memoryMailer,
  memoryPasswordHashers,
  memoryRateLimiter,
  memoryRevocations,
  memoryTokens,
  memoryWorkflows,
  type RecordedSignals,
  recordedSignals,
} from "@hearth/testing"
import { systemClock, systemIds } from "../../src/system/index.ts"
import type { TestServer } from "./server.ts"

/** A process of the service on a PostgreSQL; everything else of it is in memory. */
export interface TestNode {
  readonly core: Engagement
  readonly tenants: Tenants<TenantDb>
  readonly signals: RecordedSignals
}

/** Opens another process of the service. `wrap` can watch and delay what it does in projects. Its queue does nothing. */
export const openNode = async (
  server: TestServer,
  wrap: (tenants: Tenants<TenantDb>) => Tenants<TenantDb> = (tenants) => tenants,
): Promise<TestNode> => {
  const { control, tenants } = await server.open()
  const clock = systemClock
  const signals = recordedSignals()
  const core = createEngagement({
    ...{ clock, control, signals, tenants: wrap(tenants), ids: systemIds(clock) },
    identities: memoryIdentityVerifier(clock),
    limiter: memoryRateLimiter(clock),
    mailer: memoryMailer(),
    passwords: memoryPasswordHashers(),
    revocations: memoryRevocations(),
    tokens: memoryTokens(clock),
    workflows: memoryWorkflows(manualClock(), () => {}),
  })
  return { core, tenants, signals }
}
