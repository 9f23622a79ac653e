export {
  InvalidScheduleConfig,
  NothingToDeliver,
  ScheduleDeleteFailed,
  ScheduleNotCreated,
  ScheduleUpdateFailed,
} from "./failures.ts"
export type { Drawn } from "./pick.ts"
export type { ContentDeliveries, ContentSchedules, ContentSchedulesDb, DrawFrom, Pickable, PickFrom } from "./port.ts"
export {
  ContentDelivery,
  ContentSchedule,
  ContentScheduleChanges,
  ContentScheduleRow,
  DeliveredNow,
  NamedSchedule,
  NewContentSchedule,
  ScheduleConfig,
  ScheduleType,
  TodaysItem,
  UpcomingDelivery,
} from "./schedule.ts"
export { type ScheduleRuns, schedulesJob } from "./schedule-runs.ts"
export { makeContentSchedules } from "./schedules.ts"
export { makeSchedulesWork } from "./work.ts"
