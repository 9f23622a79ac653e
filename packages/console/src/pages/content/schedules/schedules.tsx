import "../content.css"
import { api, type Schemas } from "../../../api.ts"
import type { Definition } from "../../../parts/editor/definition.ts"
import { definitionPage } from "../../../parts/editor/definition-page.tsx"
import { choice, flag, line } from "../../../parts/editor/kinds.tsx"
import { library, scheduleConfig } from "./schedule-kinds.tsx"
import { SchedulePreview } from "./schedule-preview.tsx"

type Schedule = Schemas["ContentSchedule"] & { readonly library_name?: string }

const types = [
  { value: "daily_rotation", name: "One after the other, every day at 9:00" },
  { value: "weekly", name: "One after the other, every Monday at 9:00" },
  { value: "sequential", name: "One after the other, by a cron" },
  { value: "random", name: "At random, none again before all were shown, by a cron" },
]

const schedules: Definition<Schedule, Schemas["NewContentSchedule"], Schemas["ContentScheduleChanges"]> = {
  path: "schedules",
  title: "Schedules",
  noun: "schedule",
  about: "A schedule delivers an item of a library to everybody, again and again.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Library", cell: ({ row }) => row.original.library_name },
    { header: "Cron", cell: ({ row }) => <code>{row.original.config.cron}</code> },
    { header: "Time zone", cell: ({ row }) => row.original.config.timezone },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    { name: "library_id", label: "Library", kind: library, required: true, isFixed: true },
    { name: "schedule_type", label: "What comes next", kind: choice(() => types), required: true },
    { name: "config", label: "When", kind: scheduleConfig, required: true },
    { name: "is_active", label: "Active", kind: flag, isLater: true },
  ],
  blank: { schedule_type: "daily_rotation", config: { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone } },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/content/schedules", {
      params: { path, query },
      ...(signal ? { signal } : {}),
    }),
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/content/schedules", { params: { path }, body })).data,
  change: async (path, scheduleId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/content/schedules/{scheduleId}", {
        params: { path: { ...path, scheduleId } },
        body,
      })
    ).data,
  remove: (path, scheduleId) =>
    api.DELETE("/admin/projects/{projectId}/content/schedules/{scheduleId}", {
      params: { path: { ...path, scheduleId } },
    }),
  removing: "It delivers no more, and what it has delivered today leaves the lists of users.",
  Below: (props) => <SchedulePreview schedule={props.row} />,
}

export default definitionPage(schedules)
