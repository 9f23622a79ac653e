import { useSearchParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { dateInput } from "../../parts/date-input.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { choice, flag, fromLocalInput, line, number, toLocalInput } from "../../parts/editor/kinds.tsx"
import { Field } from "../../parts/field.tsx"
import { type CountedPage, createPages } from "../../parts/tables/load-more.ts"
import { PagesTable } from "../../parts/tables/pages-table.tsx"
import type { Columns } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { sayWord } from "../../parts/values/words.ts"
import { useProject } from "../../shell/project.tsx"
import { DryRun } from "./dry-run.tsx"

type Leaderboard = Schemas["Leaderboard"]
type Entry = Schemas["AdminLeaderboardRank"]

const Entries = (props: { readonly row: Leaderboard }) => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ at?: string }>()
  const entries = createPages<Entry, CountedPage<Entry>>(
    () => ["leaderboards", project.id(), props.row.id, "entries", search.at ?? ""],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/leaderboards/{leaderboardId}/entries", {
        params: {
          path: { ...project.path(), leaderboardId: props.row.id },
          query: { limit: 50, cursor, ...(search.at ? { at: search.at } : {}) },
        },
        signal,
      }),
    true,
  )
  const columns: Columns<Entry> = [
    { header: "Rank", cell: ({ row }) => row.original.rank ?? "–" },
    {
      header: "User",
      cell: ({ row }) => <UserLink id={row.original.app_user_id} name={row.original.display_name} />,
    },
    { header: "Score", cell: ({ row }) => sayNumber(row.original.score) },
    { header: "Reached", cell: ({ row }) => <Time at={row.original.reached_at} /> },
  ]
  return (
    <section class="page" aria-label="Entries">
      <h2>Entries</h2>
      <Show when={props.row.filling}>
        <p role="status">It is being filled from the log: scores of before are still to come.</p>
      </Show>
      <Show when={props.row.period !== "all_time"}>
        <Field
          label="As of"
          type="datetime-local"
          hint="The window that this falls in; empty: the one of now."
          {...dateInput(
            () => toLocalInput(search.at ?? null),
            (text) => setSearch({ at: fromLocalInput(text) }),
          )}
        />
      </Show>
      <PagesTable label="Entries by rank" of={entries} columns={columns} empty="Nobody has a score in this window." />
    </section>
  )
}

const Below = (props: { readonly row: Leaderboard }) => {
  const project = useProject()
  const client = useQueryClient()
  const call = (dry_run: boolean) =>
    api.POST("/admin/projects/{projectId}/leaderboards/{leaderboardId}/rebuild", {
      params: { path: { ...project.path(), leaderboardId: props.row.id }, query: { dry_run } },
    })
  const compare = async () => {
    const { data } = await call(true)
    if (!("differences" in data)) return ""
    return data.differences === 0
      ? "All entries are as the log says."
      : `${sayNumber(data.differences)} entries differ from the log.`
  }
  const rebuild = async () => {
    await call(false)
    await client.invalidateQueries({ queryKey: ["leaderboards", project.id()] })
  }
  return (
    <>
      <Entries row={props.row} />
      <Show when={project.mayWrite()}>
        <section class="panel" aria-label="Repair">
          <h2>Repair</h2>
          <p>Scores follow the log of events by themselves. Here they are compared with it, and made again.</p>
          <div class="row">
            <DryRun action="Compare with the log" key={`${props.row.id}-rebuild`} run={compare} />
            <Confirm
              action="Rebuild"
              says="All scores are made again from the log in the background. Meanwhile the entries are not complete."
              done="The rebuild has begun."
              run={rebuild}
            />
          </div>
        </section>
      </Show>
    </>
  )
}

const leaderboards: Definition<Leaderboard, Schemas["NewLeaderboard"], Schemas["LeaderboardChanges"]> = {
  path: "leaderboards",
  title: "Leaderboards",
  noun: "leaderboard",
  about: "A leaderboard ranks users by XP, by their streaks, or by what they do, in windows of UTC.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Ranks by", cell: ({ row }) => row.original.custom_event ?? sayWord(row.original.metric) },
    { header: "Window", cell: ({ row }) => sayWord(row.original.period) },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
    { header: "State", cell: ({ row }) => (row.original.filling ? "being filled" : "ready") },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    {
      name: "metric",
      label: "Ranks by",
      required: true,
      kind: choice(() => [
        { value: "xp", name: "XP" },
        { value: "streak_length", name: "length of streaks" },
        { value: "custom", name: "an event" },
      ]),
    },
    {
      name: "custom_event",
      label: "Event, where it ranks by one",
      kind: line,
      hint: "lesson_completed counts; lesson_completed:minutes sums a property up.",
    },
    {
      name: "period",
      label: "Window",
      required: true,
      kind: choice(() => [
        { value: "all_time", name: "all time" },
        { value: "daily", name: "a day" },
        { value: "weekly", name: "a week" },
        { value: "monthly", name: "a month" },
      ]),
    },
    {
      name: "max_entries",
      label: "Ranks",
      kind: number,
      required: true,
      hint: "Users beyond have a score and no rank.",
    },
    { name: "is_active", label: "Active", kind: flag, isLater: true },
  ],
  blank: { metric: "xp", period: "all_time", max_entries: 100 },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/leaderboards", { params: { path, query }, ...(signal ? { signal } : {}) }),
  read: async (path, leaderboardId, signal) =>
    (
      await api.GET("/admin/projects/{projectId}/leaderboards/{leaderboardId}", {
        params: { path: { ...path, leaderboardId } },
        ...(signal ? { signal } : {}),
      })
    ).data,
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/leaderboards", { params: { path }, body })).data,
  change: async (path, leaderboardId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/leaderboards/{leaderboardId}", {
        params: { path: { ...path, leaderboardId } },
        body,
      })
    ).data,
  remove: (path, leaderboardId) =>
    api.DELETE("/admin/projects/{projectId}/leaderboards/{leaderboardId}", {
      params: { path: { ...path, leaderboardId } },
    }),
  removing: "The leaderboard is removed with its entries; the events stay in the log.",
  Below,
}

export default definitionPage(leaderboards)
