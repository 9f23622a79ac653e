import { A, useSearchParams } from "@solidjs/router"
import { api, type Schemas } from "../../api.ts"
import { Filter } from "../../parts/filter.tsx"
import { type CountedPage, createPages } from "../../parts/load-more.ts"
import { Loaded } from "../../parts/loaded.tsx"
import { More } from "../../parts/more.tsx"
import { type Columns, Table } from "../../parts/table.tsx"
import { Time } from "../../parts/time.tsx"
import { useProject } from "../../shell/project.tsx"

type Row = Schemas["PushDelivery"]

const statuses = ["pending", "claimed", "sent", "failed", "skipped", "unknown"] as const

/** The pushes of a campaign to single devices. */
export const Deliveries = (props: { readonly campaignId: string; readonly isSending: boolean }) => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ status?: string }>()
  const filter = () => {
    const status = statuses.find((one) => one === search.status)
    return status === undefined ? {} : { status }
  }
  const deliveries = createPages<Row, CountedPage<Row>>(
    () => ["campaigns", project.id(), "deliveries", props.campaignId, filter()],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/push/campaigns/{campaignId}/deliveries", {
        params: {
          path: { ...project.path(), campaignId: props.campaignId },
          query: { limit: 50, cursor, ...filter() },
        },
        signal,
      }),
    true,
    () => (props.isSending ? 2_000 : false),
  )
  const columns: Columns<Row> = [
    {
      header: "User",
      cell: ({ row }) => (
        <A href={project.href(`users/${row.original.app_user_id}`)}>…{row.original.app_user_id.slice(-8)}</A>
      ),
    },
    { header: "Provider", cell: ({ row }) => row.original.provider },
    { header: "Status", cell: ({ row }) => <span class={`tag ${row.original.status}`}>{row.original.status}</span> },
    { header: "Error", cell: ({ row }) => <span title={row.original.error ?? ""}>{row.original.error}</span> },
    { header: "Sent", cell: ({ row }) => <Time at={row.original.sent_at} /> },
    { header: "Delivered", cell: ({ row }) => <Time at={row.original.delivered_at} /> },
    { header: "Opened", cell: ({ row }) => <Time at={row.original.opened_at} /> },
  ]
  return (
    <section class="page" id="deliveries">
      <h2>Deliveries</h2>
      <div class="row">
        <Filter
          label="Status"
          choices={[["", "all"], ...statuses.map((one) => [one, one] as const)]}
          value={search.status ?? ""}
          onChange={(status) => setSearch({ status: status || null })}
        />
      </div>
      <Loaded of={deliveries.query}>
        {() => (
          <>
            <Table label="Deliveries" rows={deliveries.rows()} columns={columns} empty="There is no such delivery." />
            <More of={deliveries.query} shown={deliveries.rows().length} total={deliveries.first()?.total} />
          </>
        )}
      </Loaded>
    </section>
  )
}
