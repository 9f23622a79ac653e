import "./work.css"
import { A, useSearchParams } from "@solidjs/router"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Field } from "../../parts/field.tsx"
import { Filter } from "../../parts/filter.tsx"
import { type CountedPage, createPages } from "../../parts/load-more.ts"
import { Loaded } from "../../parts/loaded.tsx"
import { More } from "../../parts/more.tsx"
import { Page } from "../../parts/page.tsx"
import { type Columns, Table } from "../../parts/table.tsx"
import { Time } from "../../parts/time.tsx"
import { useProject } from "../../shell/project.tsx"

type Row = Schemas["InboxEntry"]

const providers = ["subscription", "paywall"] as const
const statuses = ["received", "processed", "unresolved", "ignored", "failed"] as const

/** The webhooks that came in, by provider, status and user. */
const Webhooks = () => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ provider?: string; status?: string; user?: string }>()
  const filter = () => {
    const provider = providers.find((one) => one === search.provider)
    const status = statuses.find((one) => one === search.status)
    return {
      ...(provider === undefined ? {} : { provider }),
      ...(status === undefined ? {} : { status }),
      ...(search.user ? { user_id: search.user } : {}),
    }
  }
  const inbox = createPages<Row, CountedPage<Row>>(
    () => ["webhooks", project.id(), "list", filter()],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/webhooks/inbox", {
        params: { path: project.path(), query: { limit: 50, cursor, ...filter() } },
        signal,
      }),
    true,
  )
  const columns: Columns<Row> = [
    {
      header: "Received",
      cell: ({ row }) => (
        <A href={project.href(`webhooks/${row.original.id}`)}>
          <Time at={row.original.received_at} />
        </A>
      ),
    },
    { header: "Provider", cell: ({ row }) => row.original.provider },
    { header: "Type", cell: ({ row }) => row.original.event_type ?? <span class="quiet">–</span> },
    { header: "Status", cell: ({ row }) => <span class={`tag ${row.original.status}`}>{row.original.status}</span> },
    {
      header: "User",
      cell: ({ row }) => (
        <Show
          when={row.original.app_user_id}
          fallback={<span class="quiet">{row.original.provider_user_id ?? "–"}</span>}
        >
          {(id) => <A href={project.href(`users/${id()}`)}>…{id().slice(-8)}</A>}
        </Show>
      ),
    },
    { header: "Cause", cell: ({ row }) => <span title={row.original.error ?? ""}>{row.original.error}</span> },
  ]
  return (
    <Page title="Webhooks">
      <div class="row">
        <Filter
          label="Provider"
          choices={[["", "all"], ...providers.map((one) => [one, one] as const)]}
          value={search.provider ?? ""}
          onChange={(provider) => setSearch({ provider: provider || null })}
        />
        <Filter
          label="Status"
          choices={[["", "all"], ...statuses.map((one) => [one, one] as const)]}
          value={search.status ?? ""}
          onChange={(status) => setSearch({ status: status || null })}
        />
      </div>
      <Field
        label="User"
        type="search"
        hint="The id of a user."
        value={search.user ?? ""}
        onChange={(event) => setSearch({ user: event.currentTarget.value.trim() || null })}
      />
      <Loaded of={inbox.query}>
        {() => (
          <>
            <Table
              label="Webhooks"
              rows={inbox.rows()}
              columns={columns}
              empty={
                search.provider || search.status || search.user
                  ? "No webhook is found."
                  : "No webhook has come yet. Where providers send them is under Integrations."
              }
            />
            <More of={inbox.query} shown={inbox.rows().length} total={inbox.first()?.total} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Webhooks
