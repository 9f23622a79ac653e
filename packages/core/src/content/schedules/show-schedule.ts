import { Struct } from "effect"
import { readConfig } from "./config.ts"
import type { ContentSchedule, ContentScheduleRow } from "./schedule.ts"
import { nameWorkflow } from "./schedule-runs.ts"

const hidden = ["looks_from", "last_tick_at", "last_sort_order", "last_item_id", "round"] as const

/** A stored schedule as callers see it: with the defaults of its config, and its workflow. */
export const showSchedule = (row: ContentScheduleRow): ContentSchedule => ({
  ...Struct.omit(row, hidden),
  config: readConfig(row),
  workflow_schedule_id: nameWorkflow(row.id),
})
