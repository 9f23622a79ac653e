import "./work.css"
import { A, useSearchParams } from "@solidjs/router"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Field } from "../../parts/field.tsx"
import { Page } from "../../parts/page.tsx"
import { ChoiceFilter, useChoice } from "../../parts/tables/choice-filter.tsx"
import { type CountedPage, createPages } from "../../parts/tables/load-more.ts"
import { PagesTable } from "../../parts/tables/pages-table.tsx"
import type { Columns } from "../../parts/tables/table.tsx"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { useProject } from "../../shell/project.tsx"

type Row = Schemas["InboxEntry"]

const providers = ["subscription", "paywall"] as const
const statuses = ["received", "processed", "unresolved", "ignored", "failed"] as const

/** The webhooks that came in, by provider, status and user. */
const Webhooks = () => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ user?: string }>()
  const provider = useChoice("provider", providers)
  const status = useChoice("status", statuses)
  const filter = () => ({
    ...provider.query(),
    ...status.query(),
    ...(search.user ? { user_id: search.user } : {}),
  })
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
          fallback={
            <span class="quiet cut" title={row.original.provider_user_id ?? undefined}>
              {row.original.provider_user_id ?? "–"}
            </span>
          }
        >
          {(id) => <UserLink id={id()} />}
        </Show>
      ),
    },
    {
      header: "Cause",
      cell: ({ row }) => (
        <span class="cause" title={row.original.error ?? ""}>
          {row.original.error}
        </span>
      ),
    },
  ]
  return (
    <Page title="Webhooks">
      <div class="search">
        <ChoiceFilter label="Provider" of={provider} />
        <ChoiceFilter label="Status" of={status} />
        <Field
          label="User"
          type="search"
          hint="The id of a user."
          value={search.user ?? ""}
          onChange={(event) => setSearch({ user: event.currentTarget.value.trim() || null })}
        />
      </div>
      <PagesTable
        label="Webhooks"
        of={inbox}
        columns={columns}
        empty={
          <Show when={Object.keys(filter()).length === 0} fallback="No webhook is found.">
            What providers tell you of purchases and paywalls comes in here.{" "}
            <A href={project.href("integrations")}>Set an integration up</A>
          </Show>
        }
      />
    </Page>
  )
}

export default Webhooks
