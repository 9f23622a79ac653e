import { InvalidInput, NotFound, QuotaExceeded } from "@hearth/core"
import {
  ContentSchedule,
  ContentScheduleChanges,
  DeliveredNow,
  InvalidScheduleConfig,
  NamedSchedule,
  NewContentSchedule,
  NothingToDeliver,
  ScheduleConfig,
  ScheduleDeleteFailed,
  ScheduleNotCreated,
  ScheduleType,
  ScheduleUpdateFailed,
  TodaysItem,
  UpcomingDelivery,
} from "@hearth/core/content"
import { Effect, Schema, Struct } from "effect"
import { digits, paging } from "../../http/request/query.ts"
import { created, deleted, ok, pageOf, sliceOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

const configShape = Schema.optionalKey(Schema.Struct(Struct.map(ScheduleConfig.fields, Schema.optionalKey)))
const newScheduleShape = Schema.Struct({
  ...NewContentSchedule.fields,
  schedule_type: ScheduleType,
  config: configShape,
}).annotate({ identifier: "NewContentSchedule" })
const changesShape = Schema.Struct({
  ...ContentScheduleChanges.fields,
  schedule_type: Schema.optionalKey(ScheduleType),
  config: configShape,
}).annotate({ identifier: "ContentScheduleChanges" })

const count = digits(1, 50).pipe(Schema.withDecodingDefaultKey(Effect.succeed("7")))

/** Spec: content, schedules; I1.3 to I1.5. */
export const scheduleRoutes = [
  route("GET", "/client/content/today", {
    id: "client.content.today",
    summary: "Lists what was delivered today, the last delivered first",
    description: "One entry for each delivery of the day, with the name of the schedule that made it.",
    access: "client",
    query: paging(),
    returns: pageOf(TodaysItem),
    fault: "FETCH_FAILED",
    run: ({ core, caller, query }) => core.content.schedules.today(caller.project_id, caller.user_id, query),
  }),
  route("POST", "/admin/projects/:projectId/content/schedules", {
    id: "content.schedules.create",
    summary: "Makes a schedule, which delivers items of a library by itself",
    description:
      "`config.cron` has five fields and says when, in `config.timezone`. `schedule_type` says which item comes next: `random` repeats none until all were shown, the others go by `sort_order`.",
    access: "developer",
    body: NewContentSchedule,
    bodyShape: newScheduleShape,
    errors: [InvalidInput, InvalidScheduleConfig, NotFound, QuotaExceeded, ScheduleNotCreated],
    returns: created(ContentSchedule),
    fault: "CREATE_FAILED",
    run: ({ core, params, body }) => core.content.schedules.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/content/schedules", {
    id: "content.schedules.list",
    summary: "Lists the schedules with the names of their libraries, the oldest first",
    description: "With the name of each library.",
    access: "developer",
    query: paging(),
    returns: pageOf(NamedSchedule),
    run: ({ core, params, query }) => core.content.schedules.list(params.projectId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/content/schedules/:scheduleId", {
    id: "content.schedules.update",
    summary: "Changes a schedule; `config` is replaced as a whole",
    description: "Only the keys that are sent change. A new cron counts from now on.",
    access: "developer",
    body: ContentScheduleChanges,
    bodyShape: changesShape,
    errors: [InvalidInput, InvalidScheduleConfig, NotFound, ScheduleUpdateFailed],
    returns: ok(ContentSchedule),
    fault: "UPDATE_FAILED",
    run: ({ core, params, body }) => core.content.schedules.update(params.projectId, params.scheduleId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/content/schedules/:scheduleId", {
    id: "content.schedules.delete",
    summary: "Removes a schedule with what it has delivered",
    description: "It delivers no more, and what it has delivered leaves the list of today.",
    access: "developer",
    errors: [NotFound, ScheduleDeleteFailed],
    returns: deleted,
    fault: "DELETE_FAILED",
    run: ({ core, params }) => core.content.schedules.remove(params.projectId, params.scheduleId),
  }),
  route("GET", "/admin/projects/:projectId/content/schedules/:scheduleId/preview", {
    id: "content.schedules.preview",
    summary: "Shows the next ticks of a schedule, and what they would deliver as things are",
    description: "Nothing is delivered. Later changes of the library change what comes.",
    access: "developer",
    query: { count, ...paging() },
    errors: [InvalidInput, NotFound],
    returns: sliceOf(UpcomingDelivery),
    run: ({ core, params, query }) => core.content.schedules.preview(params.projectId, params.scheduleId, query.count),
  }),
  route("POST", "/admin/projects/:projectId/content/schedules/:scheduleId/deliver", {
    id: "content.schedules.deliver",
    summary: "Delivers the next item of a schedule now",
    description: "Beside the cron, for a test or a special day.",
    access: "developer",
    errors: [NotFound, NothingToDeliver],
    returns: created(DeliveredNow),
    run: ({ core, params }) => core.content.schedules.deliver(params.projectId, params.scheduleId),
  }),
]
