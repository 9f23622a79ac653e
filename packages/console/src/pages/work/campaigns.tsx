import "./work.css"
import { A } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Pager } from "../../parts/tables/pager.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { useSlice } from "../../parts/tables/use-slice.ts"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"

type Row = Schemas["PushCampaignWithStats"]

const lookMillis = 10_000

/** When a campaign was sent, or will be. */
const When = (props: { readonly campaign: Row }) => (
  <Show
    when={props.campaign.delivery_mode === "local_time" && props.campaign.sent_at === null}
    fallback={<Time at={props.campaign.sent_at ?? props.campaign.scheduled_at} />}
  >
    {props.campaign.local_date} {props.campaign.local_time?.slice(0, 5)}, each user's zone
  </Show>
)

const Empty = () => {
  const project = useProject()
  return (
    <>
      A campaign sends a push to all users, or to those of a segment.{" "}
      <Show when={project.mayWrite()}>
        <A href={project.href("campaigns/new")}>Write the first one</A>, and connect{" "}
        <A href={project.href("integrations")}>Apple or Firebase</A>, which deliver it.
      </Show>
    </>
  )
}

/** The push campaigns, with what became of them. */
const Campaigns = () => {
  const project = useProject()
  const { slice, turn } = useSlice()
  const campaigns = createQuery(() => ({
    queryKey: ["campaigns", project.id(), "list", slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/push/campaigns", {
        params: { path: project.path(), query: slice() },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === "sending" || status === "scheduled") ? lookMillis : false,
  }))
  const figure = (header: string, value: (row: Row) => number): Columns<Row>[number] => ({
    header,
    cell: ({ row }) => sayNumber(value(row.original)),
  })
  const columns: Columns<Row> = [
    {
      header: "Campaign",
      cell: ({ row }) => <A href={project.href(`campaigns/${row.original.id}`)}>{row.original.name}</A>,
    },
    {
      header: "Status",
      cell: ({ row }) => (
        <span class={`tag ${row.original.status}`} title={row.original.error ?? undefined}>
          {row.original.status}
        </span>
      ),
    },
    { header: "When", cell: ({ row }) => <When campaign={row.original} /> },
    figure("Recipients", ({ stats }) => stats.recipients),
    figure("Sent", ({ stats }) => stats.sent),
    figure("Delivered", ({ stats }) => stats.delivered),
    figure("Opened", ({ stats }) => stats.opened),
    figure("Failed", ({ stats }) => stats.failed),
  ]
  return (
    <Page
      title="Push campaigns"
      actions={
        <Show when={project.mayWrite()}>
          <A class="button primary" href={project.href("campaigns/new")}>
            New campaign
          </A>
        </Show>
      }
    >
      <Loaded of={campaigns}>
        {(found) => (
          <>
            <Table label="Campaigns" rows={found().data} columns={columns} empty={<Empty />} />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Campaigns
