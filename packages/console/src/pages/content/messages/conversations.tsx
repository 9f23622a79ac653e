import "../content.css"
import { A } from "@solidjs/router"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Loaded } from "../../../parts/loaded.tsx"
import { Page } from "../../../parts/page.tsx"
import { type CountedPage, createPages } from "../../../parts/tables/load-more.ts"
import { PagesTable } from "../../../parts/tables/pages-table.tsx"
import type { Columns } from "../../../parts/tables/table.tsx"
import { Facts } from "../../../parts/values/facts.tsx"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { Time } from "../../../parts/values/time.tsx"
import { useProject } from "../../../shell/project.tsx"

type Conversation = Schemas["AdminConversation"]

const Stats = () => {
  const project = useProject()
  const stats = createQuery(() => ({
    queryKey: ["conversations", project.id(), "stats"],
    queryFn: () => api.GET("/admin/projects/{projectId}/messaging/stats", { params: { path: project.path() } }),
  }))
  return (
    <Loaded of={stats}>
      {(found) => (
        <Facts
          of={[
            ["Conversations", () => sayNumber(found().data.total_conversations)],
            ["Messages", () => sayNumber(found().data.total_messages)],
            ["With a message in the last 24 hours", () => sayNumber(found().data.active_conversations_24h)],
          ]}
        />
      )}
    </Loaded>
  )
}

/** What users write to each other, the latest first. */
const Conversations = () => {
  const project = useProject()
  const conversations = createPages<Conversation, CountedPage<Conversation>>(
    () => ["conversations", project.id(), "list"],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/messaging/conversations", {
        params: { path: project.path(), query: { limit: 50, cursor } },
        signal,
      }),
  )
  const columns: Columns<Conversation> = [
    {
      header: "Conversation",
      cell: ({ row }) => (
        <A href={project.href(`conversations/${row.original.id}`)}>
          {row.original.name ?? (row.original.type === "direct" ? "Between two" : "A group without a name")}
        </A>
      ),
    },
    { header: "People", cell: ({ row }) => sayNumber(row.original.participant_count) },
    { header: "From", cell: ({ row }) => row.original.last_message?.sender?.display_name },
    { header: "Last message", cell: ({ row }) => row.original.last_message?.body?.slice(0, 100) },
    { header: "When", cell: ({ row }) => <Time at={row.original.last_message?.created_at} /> },
  ]
  return (
    <Page title="Conversations">
      <Stats />
      <PagesTable
        label="Conversations"
        of={conversations}
        columns={columns}
        empty={
          <>
            What users write to each other is listed here. Your app begins a conversation with{" "}
            <code>POST /v1/client/messaging/conversations</code>: see the <a href="/docs">reference</a>.
          </>
        }
      />
    </Page>
  )
}

export default Conversations
