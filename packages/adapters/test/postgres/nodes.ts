import {
  type Clock,
  createEngagement,
  type Engagement,
  type EngagementOptions,
  type Ports,
  type TenantDb,
  type Tenants,
} from "@hearth/core"
import {
  manualClock,
  memoryIdentityVerifier,
  memoryMailer,
  memoryPasswordHashers,
  memoryPatterns,
  memoryPushGateway,
  memoryRateLimiter,
  memoryRevocations,
  memorySecretBox,
  memorySignatures,
  memoryStorage,
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

/** How a process of the service differs from the others. */
export interface NodeOptions {
  /** Watches and delays what it does in projects. */
  readonly wrap?: (tenants: Tenants<TenantDb>) => Tenants<TenantDb>
  /** What it has in common with other processes; of its own where left out. */
  readonly ports?: Partial<Ports>
  readonly options?: EngagementOptions
}

/** What a process has besides PostgreSQL, in memory. Its queue does nothing. Spread into several, it is shared by them. */
export const memoryPorts = (clock: Clock = systemClock) => ({
  ...{ clock, ids: systemIds(clock), signals: recordedSignals() },
  identities: memoryIdentityVerifier(clock),
  limiter: memoryRateLimiter(clock),
  mailer: memoryMailer(),
  passwords: memoryPasswordHashers(),
  patterns: memoryPatterns,
  push: memoryPushGateway(clock),
  revocations: memoryRevocations(),
  secrets: memorySecretBox(),
  signatures: memorySignatures,
  storage: memoryStorage(),
  tokens: memoryTokens(clock),
  workflows: memoryWorkflows(manualClock(), () => {}),
})

/** Counts how often work of projects is run again: only where the database has rolled it back for a deadlock. */
export const countRetries = () => {
  const retries = { count: 0 }
  const wrap = (tenants: Tenants<TenantDb>): Tenants<TenantDb> => ({
    ...tenants,
    transact: (projectId, work, options) => {
      let runs = 0
      return tenants.transact(
        projectId,
        (db) => {
          runs += 1
          if (runs > 1) retries.count += 1
          return work(db)
        },
        options,
      )
    },
  })
  return { retries, wrap }
}

/** Opens another process of the service. */
export const openNode = async (
  server: TestServer,
  { wrap = (tenants) => tenants, ports = {}, options = {} }: NodeOptions = {},
): Promise<TestNode> => {
  const { control, news, tenants } = await server.open()
  const memory = memoryPorts()
  const core = createEngagement({ ...memory, control, news, tenants: wrap(tenants), ...ports }, options)
  return { core, tenants, signals: memory.signals }
}
