import { A, useSearchParams } from "@solidjs/router"
import { createSignal, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Button } from "../../../parts/button.tsx"
import { Download } from "../../../parts/download.tsx"
import { Field } from "../../../parts/field.tsx"
import { createPages } from "../../../parts/tables/load-more.ts"
import { PagesTable } from "../../../parts/tables/pages-table.tsx"
import type { Columns } from "../../../parts/tables/table.tsx"
import { JsonView } from "../../../parts/values/json-view.tsx"
import { sayTime, Time } from "../../../parts/values/time.tsx"
import { useUser } from "../use-user.ts"

const sayEvent = ({ event_name, occurred_at }: Schemas["EngagementEvent"]): string =>
  `${event_name}, ${sayTime(occurred_at)}`

const columnsFor = (chosen: () => string | undefined): Columns<Schemas["EngagementEvent"]> => [
  {
    header: "Event",
    cell: ({ row: { original } }) => (
      <>
        <code>{original.event_name}</code>
        <Show when={original.id === chosen()}>
          {" "}
          <strong class="tag">the one that led here</strong>
        </Show>
      </>
    ),
  },
  { header: "Occurred", cell: ({ row: { original } }) => <Time at={original.occurred_at} /> },
  {
    header: "Properties",
    cell: ({ row: { original } }) => (
      <Show when={Object.keys(original.properties).length > 0} fallback={<span class="quiet">–</span>}>
        <details>
          <summary>
            {Object.keys(original.properties).join(", ")}
            <span class="unseen"> of {sayEvent(original)}</span>
          </summary>
          <JsonView value={original.properties} label={`Properties of ${sayEvent(original)}`} />
        </details>
      </Show>
    ),
  },
  { header: "Id", cell: ({ row: { original } }) => <code title={original.id}>…{original.id.slice(-8)}</code> },
]

/** What the user did, the newest first; of one name where the address says so. */
const Events = () => {
  const user = useUser()
  const [search, setSearch] = useSearchParams<{ event_name?: string; until?: string; event?: string }>()
  const [typed, setTyped] = createSignal(search.event_name ?? "")
  const pages = createPages<Schemas["EngagementEvent"]>(
    () => user.key("events", search.event_name ?? "", search.until ?? ""),
    (cursor, signal) =>
      api.GET("/admin/projects/{projectId}/events", {
        params: {
          path: user.project.path(),
          query: {
            user_id: user.id(),
            limit: 50,
            since: "1970-01-01T00:00:00Z",
            ...(search.event_name ? { event_name: search.event_name } : {}),
            ...(search.until ? { until: search.until } : {}),
            ...(cursor === undefined ? {} : { cursor }),
          },
        },
        signal,
      }),
  )
  const columns = () => columnsFor(() => search.event)
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    setSearch({ event_name: typed().trim() || null })
  }
  return (
    <>
      <form class="search" onSubmit={apply}>
        <Field
          label="Name of the event"
          type="search"
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">Filter</Button>
        <A href={user.project.href(`events?user_id=${user.id()}`)}>Watch as they come</A>
      </form>
      <Show when={search.until}>
        {(until) => (
          <p class="row">
            <span>
              Up to <Time at={until()} />.
            </span>
            <Button kind="link" onClick={() => setSearch({ until: null, event: null })}>
              Show the newest
            </Button>
          </p>
        )}
      </Show>
      <PagesTable label="Events" of={pages} columns={columns()} empty="No such event has happened." />
      <Download
        label="Export the events"
        name={`user-${user.id()}-events.csv`}
        path={() =>
          `/admin/projects/${user.project.id()}/users/${user.id()}/events/export${
            search.event_name ? `?event_name=${encodeURIComponent(search.event_name)}` : ""
          }`
        }
      />
    </>
  )
}

export default Events
