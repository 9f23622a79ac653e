import type { BackgroundControlDb } from "../../background/port.ts"
import type { FeatureWork } from "../../background/work.ts"
import type { Ports } from "../../ports/ports.ts"
import type { ContentDb } from "../port.ts"
import { makeDeliver } from "./deliver.ts"
import type { ContentSchedulesDb } from "./port.ts"
import { makeReconcileSchedules } from "./reconcile-schedules.ts"
import { makeScheduleRuns } from "./schedule-runs.ts"

/** The background work of schedules: delivering at ticks, and keeping workflows what the rows say. */
export const makeSchedulesWork = (
  ports: Pick<
    Ports<ContentDb & ContentSchedulesDb, BackgroundControlDb>,
    "clock" | "control" | "ids" | "tenants" | "workflows"
  >,
) => {
  const { deliverDue } = makeDeliver(ports)
  const { contentDelivery, ...runs } = makeScheduleRuns(ports, deliverDue)
  return {
    work: {
      workflows: [contentDelivery],
      jobs: [makeReconcileSchedules(ports, runs, deliverDue)],
    } satisfies FeatureWork<ContentSchedulesDb>,
    /** Makes and ends the workflows of schedules. */
    runs,
  }
}
