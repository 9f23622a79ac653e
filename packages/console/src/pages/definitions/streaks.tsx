import { api, type Schemas } from "../../api.ts"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { choice, flag, line, lines, number } from "../../parts/editor/kinds.tsx"

const streaks: Definition<
  Schemas["StreakDefinition"],
  Schemas["NewStreakDefinition"],
  Schemas["StreakDefinitionChanges"]
> = {
  path: "streaks",
  title: "Streaks",
  noun: "streak",
  about: "A streak counts the days or weeks in a row on which a user does something.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Event", cell: ({ row }) => <code>{row.original.qualifying_event}</code> },
    { header: "Period", cell: ({ row }) => row.original.period },
    {
      header: "Freezes",
      cell: ({ row }) => (row.original.freeze_enabled ? `up to ${row.original.max_freezes}` : "no"),
    },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    { name: "description", label: "Description", kind: lines },
    {
      name: "qualifying_event",
      label: "Event that counts",
      kind: line,
      required: true,
      hint: "Its name, as the app writes it: lesson_completed.",
    },
    {
      name: "period",
      label: "Period",
      kind: choice(() => ["daily", "weekly"]),
      required: true,
      hint: "Days and weeks are those of the user's time zone.",
    },
    {
      name: "grace_period_hours",
      label: "Grace period, in hours",
      kind: number,
      required: true,
      hint: "How long after the end of a period the event still saves the streak.",
    },
    {
      name: "freeze_enabled",
      label: "Freezes save a missed period",
      kind: flag,
    },
    { name: "max_freezes", label: "Most freezes that a user can have", kind: number, required: true },
    {
      name: "freezes_per_n_events",
      label: "Events for another freeze",
      kind: number,
      hint: "Empty: freezes are not earned, only given.",
    },
  ],
  blank: { period: "daily", grace_period_hours: 0, freeze_enabled: false, max_freezes: 1 },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/streaks", { params: { path, query }, ...(signal ? { signal } : {}) }),
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/streaks", { params: { path }, body })).data,
  change: async (path, streakId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/streaks/{streakId}", {
        params: { path: { ...path, streakId } },
        body,
      })
    ).data,
  remove: (path, streakId) =>
    api.DELETE("/admin/projects/{projectId}/streaks/{streakId}", { params: { path: { ...path, streakId } } }),
  removing: "The streak is removed with what all users have reached in it. That cannot be undone.",
}

export default definitionPage(streaks)
