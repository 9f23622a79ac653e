import "../content.css"
import { A, useNavigate, useParams, useSearchParams } from "@solidjs/router"
import { keepPreviousData, useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Chart } from "../../../parts/chart.tsx"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { findChanges } from "../../../parts/find-changes.ts"
import { Loaded } from "../../../parts/loaded.tsx"
import { Page } from "../../../parts/page.tsx"
import { Filter } from "../../../parts/tables/filter.tsx"
import { type Columns, Table } from "../../../parts/tables/table.tsx"
import { Facts } from "../../../parts/values/facts.tsx"
import { JsonView } from "../../../parts/values/json-view.tsx"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { Time } from "../../../parts/values/time.tsx"
import { useProject } from "../../../shell/project.tsx"
import { createLinkConfig, linkAddress } from "./link-address.ts"
import { LinkCode } from "./link-code.tsx"
import { LinkFields, readLink } from "./link-fields.tsx"

type Day = Schemas["LinkDay"]

const spans = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "12 months"],
] as const

const addUp = ({ ios, android, web, unknown }: Day) => ios + android + web + unknown

// Noon of a day in UTC is on that day in nearly every zone: the axis is in the viewer's.
const findNoon = ({ day }: Day) => Date.parse(`${day}T12:00:00Z`) / 1_000

const dayColumns: Columns<Day> = [
  { header: "Day (UTC)", cell: ({ row }) => row.original.day },
  { header: "iOS", cell: ({ row }) => sayNumber(row.original.ios) },
  { header: "Android", cell: ({ row }) => sayNumber(row.original.android) },
  { header: "Web", cell: ({ row }) => sayNumber(row.original.web) },
  { header: "Unknown", cell: ({ row }) => sayNumber(row.original.unknown) },
]

const Clicks = (props: { readonly linkId: string }) => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ days?: string }>()
  const span = () => spans.find(([days]) => days === search.days)?.[0] ?? "30"
  const path = () => ({ ...project.path(), linkId: props.linkId })
  const stats = createQuery(() => ({
    queryKey: ["links", project.id(), props.linkId, "stats"],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/deep-links/tracked/{linkId}/stats", { params: { path: path() } }),
  }))
  const days = createQuery(() => ({
    queryKey: ["links", project.id(), props.linkId, "days", span()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/deep-links/tracked/{linkId}/days", {
        params: { path: path(), query: { days: Number(span()) } },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  return (
    <section class="page" aria-label="Clicks">
      <h2>Clicks</h2>
      <Loaded of={stats}>
        {(found) => (
          <Facts
            of={[
              ["All", () => sayNumber(found().data.total_clicks)],
              ["Known users", () => sayNumber(found().data.unique_users)],
              ["iOS", () => sayNumber(found().data.clicks_by_platform.ios)],
              ["Android", () => sayNumber(found().data.clicks_by_platform.android)],
              ["Web", () => sayNumber(found().data.clicks_by_platform.web)],
              ["Unknown", () => sayNumber(found().data.clicks_by_platform.unknown)],
            ]}
          />
        )}
      </Loaded>
      <Filter
        label="Last"
        choices={spans}
        value={span()}
        onChange={(to) => setSearch({ days: to }, { replace: true })}
      />
      <Loaded of={days}>
        {(found) => (
          <>
            <Chart
              label={`Clicks by day: ${sayNumber(found().data.reduce((sum, day) => sum + addUp(day), 0))} in ${found().data.length} days`}
              of="Clicks"
              over="Day (UTC)"
              isByDay
              times={found().data.map(findNoon)}
              bars
              series={[{ label: "Clicks", values: found().data.map(addUp) }]}
            />
            <details>
              <summary>The days with clicks, by platform</summary>
              <Table
                label="Clicks by day and platform"
                rows={found()
                  .data.filter((day) => addUp(day) > 0)
                  .toReversed()}
                columns={dayColumns}
                empty="Nobody has opened it in this time."
              />
            </details>
          </>
        )}
      </Loaded>
    </section>
  )
}

/** A link: where it leads, how it is shared, and who has opened it. */
const Link = () => {
  const project = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const params = useParams<{ readonly linkId: string }>()
  const path = () => ({ ...project.path(), linkId: params.linkId })
  const config = createLinkConfig()
  const link = createQuery(() => ({
    queryKey: ["links", project.id(), params.linkId],
    queryFn: () => api.GET("/admin/projects/{projectId}/deep-links/tracked/{linkId}", { params: { path: path() } }),
  }))
  const change = async (form: FormData) => {
    await api.PATCH("/admin/projects/{projectId}/deep-links/tracked/{linkId}", {
      params: { path: path() },
      body: findChanges(readLink(form), link.data?.data ?? {}),
    })
    await client.invalidateQueries({ queryKey: ["links", project.id()] })
  }
  const remove = async () => {
    await api.DELETE("/admin/projects/{projectId}/deep-links/tracked/{linkId}", { params: { path: path() } })
    navigate(project.href("links"), { replace: true })
    await client.invalidateQueries({ queryKey: ["links", project.id()] })
  }
  return (
    <Page
      title={link.data?.data.slug ?? "Link"}
      actions={
        <Show when={project.mayWrite() && link.data}>
          {(found) => (
            <>
              <Confirm
                action="Change"
                says="Whoever opens the link is led there from now on. Its address, its code and its clicks stay."
                done="The link is changed."
                run={change}
              >
                <LinkFields link={found().data} />
              </Confirm>
              <Confirm
                action="Remove"
                danger
                says="The link and its clicks are gone for good. Who opens it then is led to the fallback of the project."
                done="The link is gone."
                run={remove}
              />
            </>
          )}
        </Show>
      }
    >
      <p>
        <A href={project.href("links")}>All links</A>
      </p>
      <Loaded of={link}>
        {(found) => (
          <>
            <Facts
              of={[
                ["Leads to", () => found().data.destination_url],
                ["Made", () => <Time at={found().data.created_at} />],
              ]}
            />
            <Show when={config.data !== undefined}>
              <LinkCode
                slug={found().data.slug}
                address={linkAddress(project.id(), found().data.slug, config.data?.config?.universal_link_domain)}
              />
            </Show>
            <Show when={Object.keys(found().data.metadata).length > 0}>
              <details>
                <summary>Metadata, for the app that it opens</summary>
                <JsonView label="Metadata" value={found().data.metadata} />
              </details>
            </Show>
            <Clicks linkId={params.linkId} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Link
