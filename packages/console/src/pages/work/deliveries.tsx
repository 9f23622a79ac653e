import { api, type Schemas } from "../../api.ts"
import { ChoiceFilter, useChoice } from "../../parts/tables/choice-filter.tsx"
import { type CountedPage, createPages } from "../../parts/tables/load-more.ts"
import { PagesTable } from "../../parts/tables/pages-table.tsx"
import type { Columns } from "../../parts/tables/table.tsx"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { sayWord } from "../../parts/values/words.ts"
import { useProject } from "../../shell/project.tsx"

type Row = Schemas["PushDelivery"]

const statuses = ["pending", "claimed", "sent", "failed", "skipped", "unknown"] as const

/** The pushes of a campaign to single devices. */
export const Deliveries = (props: { readonly campaignId: string; readonly isSending: boolean }) => {
  const project = useProject()
  const status = useChoice("status", statuses)
  const deliveries = createPages<Row, CountedPage<Row>>(
    () => ["campaigns", project.id(), "deliveries", props.campaignId, status.query()],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/push/campaigns/{campaignId}/deliveries", {
        params: {
          path: { ...project.path(), campaignId: props.campaignId },
          query: { limit: 50, cursor, ...status.query() },
        },
        signal,
      }),
    true,
    () => (props.isSending ? 2_000 : false),
  )
  const columns: Columns<Row> = [
    {
      header: "User",
      cell: ({ row }) => <UserLink id={row.original.app_user_id} />,
    },
    { header: "Provider", cell: ({ row }) => sayWord(row.original.provider) },
    { header: "Status", cell: ({ row }) => <span class={`tag ${row.original.status}`}>{row.original.status}</span> },
    {
      header: "Error",
      cell: ({ row }) => (
        <span class="cause" title={row.original.error ?? ""}>
          {row.original.error}
        </span>
      ),
    },
    { header: "Sent", cell: ({ row }) => <Time at={row.original.sent_at} /> },
    { header: "Delivered", cell: ({ row }) => <Time at={row.original.delivered_at} /> },
    { header: "Opened", cell: ({ row }) => <Time at={row.original.opened_at} /> },
  ]
  return (
    <section class="page" id="deliveries">
      <h2>Deliveries</h2>
      <div class="row">
        <ChoiceFilter label="Status" of={status} />
      </div>
      <PagesTable
        label="Deliveries"
        of={deliveries}
        columns={columns}
        empty={status.chosen() === undefined ? "No push of it was sent yet." : "No delivery is like that."}
      />
    </section>
  )
}
