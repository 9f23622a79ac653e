import { Result } from "effect"
import { joinChoices } from "../../phrases.ts"
import { isObject, type JsonObject } from "../../schema.ts"
import { isCron, type Recurrence } from "../../time/cron.ts"
import { isTimeZone } from "../../time/zones.ts"
import { InvalidScheduleConfig } from "./failures.ts"
import type { ContentScheduleRow, ScheduleConfig, ScheduleType } from "./schedule.ts"

// The others say themselves when they fire.
const defaultCrons: Readonly<Record<ScheduleType, string | null>> = {
  daily_rotation: "0 9 * * *",
  weekly: "0 9 * * MON",
  random: null,
  sequential: null,
}

// Longer than all values of all fields, one by one.
const longestCron = 500

const isScheduleType = (value: unknown): value is ScheduleType =>
  typeof value === "string" && Object.hasOwn(defaultCrons, value)

const isValidCron = (value: unknown) => typeof value === "string" && value.length <= longestCron && isCron(value)

/** The type and the config of a schedule as they are stored: what is left out stays so, for another type has other defaults. */
export interface ParsedSchedule {
  readonly schedule_type: ScheduleType
  readonly config: JsonObject
}

/** Reads the type and the config that a schedule is to have. `details.issues` names everything that is wrong [I1.5]. */
export const parseSchedule = (
  type: unknown,
  config: unknown = {},
): Result.Result<ParsedSchedule, InvalidScheduleConfig> => {
  const issues: Array<{ readonly path: string; readonly message: string }> = []
  const require = (isValid: boolean, path: string, message: string) => {
    if (!isValid) issues.push({ path, message })
  }
  const given = isObject(config) ? config : {}
  const { cron, timezone, include_authored } = given
  const isType = isScheduleType(type)
  require(isType, "schedule_type", `must be ${joinChoices(Object.keys(defaultCrons))}`)
  require(isObject(config), "config", "must be an object")
  if (cron === undefined) require(!isType || defaultCrons[type] !== null, "config.cron", "is required for this type")
  else
    require(isValidCron(
      cron,
    ), "config.cron", "must be a cron expression of five fields that fires at some time, like 0 9 * * MON")
  const isZone = timezone === undefined || (typeof timezone === "string" && isTimeZone(timezone))
  require(isZone, "config.timezone", "must be an IANA time zone")
  const isFlag = include_authored === undefined || typeof include_authored === "boolean"
  require(isFlag, "config.include_authored", "must be true or false")
  if (!isType || issues.length > 0) return Result.fail(new InvalidScheduleConfig({ issues }))
  const entries = Object.entries({ cron, timezone, include_authored }).filter(([, value]) => value !== undefined)
  return Result.succeed({ schedule_type: type, config: Object.fromEntries(entries) as JsonObject })
}

/** The config of a stored schedule with its defaults. */
export const readConfig = ({
  schedule_type,
  config,
}: Pick<ContentScheduleRow, "schedule_type" | "config">): ScheduleConfig => {
  const { cron, timezone, include_authored } = config
  return {
    cron: typeof cron === "string" ? cron : (defaultCrons[schedule_type] ?? ""),
    timezone: typeof timezone === "string" ? timezone : "UTC",
    ...(typeof include_authored === "boolean" ? { include_authored } : {}),
  }
}

/** When the workflow of a schedule fires; null while it has none. */
export const readRecurrence = (
  row: Pick<ContentScheduleRow, "schedule_type" | "config" | "is_active">,
): Recurrence | null => {
  if (!row.is_active) return null
  const { cron, timezone } = readConfig(row)
  return { cron, timezone }
}
