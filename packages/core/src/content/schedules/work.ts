import type { BackgroundControlDb } from "../../background/port.ts"
import { makeTurns } from "../../background/turns.ts"
import type { FeatureWork } from "../../background/work.ts"
import type { Ports } from "../../ports/ports.ts"
import type { ProjectsDb } from "../../projects/port.ts"
import { makeSweep } from "../../retention/sweep.ts"
import type { ContentDb } from "../port.ts"
import { makeDeliver } from "./deliver.ts"
import type { ContentSchedulesDb } from "./port.ts"
import { makeReconcileSchedules } from "./reconcile-schedules.ts"
import { makeScheduleRuns } from "./schedule-runs.ts"

/**
 * The background work of schedules: delivering at ticks, keeping workflows what the rows say, and removing deliveries after
 * `keepDays` days.
 */
export const makeSchedulesWork = (
  ports: Pick<
    Ports<ContentDb & ContentSchedulesDb, BackgroundControlDb & ProjectsDb>,
    "clock" | "control" | "ids" | "tenants" | "workflows"
  >,
  keepDays: number,
) => {
  const { deliverDue } = makeDeliver(ports)
  const { contentDelivery, ...runs } = makeScheduleRuns(ports, deliverDue, makeTurns(ports, Number.POSITIVE_INFINITY))
  return {
    work: {
      workflows: [contentDelivery],
      jobs: [makeReconcileSchedules(ports, runs, deliverDue)],
      tasks: [
        makeSweep(ports, {
          ...{ name: "content.remove-old-deliveries", keepDays },
          port: (db: ContentSchedulesDb) => db.contentDeliveries,
        }),
      ],
    } satisfies FeatureWork<ContentSchedulesDb>,
    /** Makes and ends the workflows of schedules. */
    runs,
  }
}
