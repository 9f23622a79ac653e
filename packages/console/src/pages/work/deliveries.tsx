import { A, useSearchParams } from "@solidjs/router"
import { createQuery, keepPreviousData } from "@tanstack/solid-query"
import { api, type Schemas } from "../../api.ts"
import { Filter } from "../../parts/filter.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Pager } from "../../parts/pager.tsx"
import { type Columns, Table } from "../../parts/table.tsx"
import { Time } from "../../parts/time.tsx"
import { useSlice } from "../../parts/use-slice.ts"
import { useProject } from "../../shell/project.tsx"

type Row = Schemas["PushDelivery"]

const statuses = ["pending", "claimed", "sent", "failed", "skipped", "unknown"] as const

/** The pushes of a campaign to single devices. */
export const Deliveries = (props: { readonly campaignId: string; readonly isSending: boolean }) => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ status?: string }>()
  const { slice, turn } = useSlice()
  const query = () => {
    const status = statuses.find((one) => one === search.status)
    return { ...slice(), ...(status === undefined ? {} : { status }) }
  }
  const deliveries = createQuery(() => ({
    queryKey: ["campaigns", project.id(), "deliveries", props.campaignId, query()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/push/campaigns/{campaignId}/deliveries", {
        params: { path: { ...project.path(), campaignId: props.campaignId }, query: query() },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: props.isSending ? 2_000 : (false as const),
  }))
  const columns: Columns<Row> = [
    {
      header: "User",
      cell: ({ row }) => (
        <A href={project.href(`users/${row.original.app_user_id}`)}>{row.original.app_user_id.slice(0, 8)}</A>
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
          onChange={(status) => setSearch({ status: status || null, offset: null })}
        />
      </div>
      <Loaded of={deliveries}>
        {(found) => (
          <>
            <Table label="Deliveries" rows={found().data} columns={columns} empty="There is no such delivery." />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </section>
  )
}
