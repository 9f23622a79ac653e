import type { Effect } from "effect"
import type { EngagementEvent } from "../events/event.ts"
import type { TenantDb } from "../ports/tenants.ts"

/**
 * What events set off in one feature. It is given events of one project, each exactly once for good: its writes commit
 * together with the mark that the events have been handled. Events may come late and out of order.
 */
export type Reaction = (db: TenantDb, events: ReadonlyArray<EngagementEvent>) => Effect.Effect<void>
