import { A } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { type Columns, Table } from "../../../parts/tables/table.tsx"
import { Time } from "../../../parts/values/time.tsx"
import { useProject } from "../../../shell/project.tsx"

const shown = 14

const inZone = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(at))

/** What a schedule is going to deliver, and the next one now. */
export const SchedulePreview = (props: { readonly schedule: Schemas["ContentSchedule"] }) => {
  const project = useProject()
  const client = useQueryClient()
  const path = () => ({ ...project.path(), scheduleId: props.schedule.id })
  const key = () => ["schedule-preview", project.id(), props.schedule.id]
  const preview = createQuery(() => ({
    // What was saved changes what comes.
    queryKey: [...key(), props.schedule.updated_at],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/content/schedules/{scheduleId}/preview", {
        params: { path: path(), query: { count: shown } },
        signal,
      }),
  }))
  const deliver = async () => {
    await api.POST("/admin/projects/{projectId}/content/schedules/{scheduleId}/deliver", { params: { path: path() } })
    await client.invalidateQueries({ queryKey: key() })
  }
  const isRandom = () => props.schedule.schedule_type === "random"
  const columns: Columns<Schemas["UpcomingDelivery"]> = [
    {
      header: `In ${props.schedule.config.timezone}`,
      cell: ({ row }) => inZone(row.original.at, props.schedule.config.timezone),
    },
    {
      header: "Item",
      cell: ({ row }) => (
        <Show
          when={row.original.item_id}
          fallback={<span class="quiet">{isRandom() ? "is drawn then" : "nothing to deliver"}</span>}
        >
          {(id) => <span title={id()}>{row.original.title ?? "without a title"}</span>}
        </Show>
      ),
    },
    { header: "Here", cell: ({ row }) => <Time at={row.original.at} /> },
  ]
  return (
    <section class="page">
      <header class="row">
        <h2>What comes</h2>
        <Show when={project.mayWrite()}>
          <div class="row end">
            <Confirm
              action="Deliver now"
              says="The next item goes to everybody at once, beside the cron. It comes no second time at the next tick."
              done="The item is delivered."
              run={deliver}
            />
          </div>
        </Show>
      </header>
      <p class="quiet">
        As things are: changes of <A href={project.href(`libraries/${props.schedule.library_id}`)}>the library</A>{" "}
        change what comes.
        <Show when={!props.schedule.is_active}> The schedule is not active: none of this is delivered.</Show>
      </p>
      <Loaded of={preview}>
        {(found) => (
          <Table label="What comes" rows={found().data} columns={columns} empty="There is nothing to come." />
        )}
      </Loaded>
    </section>
  )
}
