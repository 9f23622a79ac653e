import "../content.css"
import { A } from "@solidjs/router"
import { createQuery, keepPreviousData } from "@tanstack/solid-query"
import { api, type Schemas } from "../../../api.ts"
import { Facts } from "../../../parts/facts.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { Page } from "../../../parts/page.tsx"
import { Pager } from "../../../parts/pager.tsx"
import { type Columns, Table } from "../../../parts/table.tsx"
import { Time } from "../../../parts/time.tsx"
import { useSlice } from "../../../parts/use-slice.ts"
import { useProject } from "../../../shell/project.tsx"

const count = new Intl.NumberFormat()

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
            ["Conversations", () => count.format(found().data.total_conversations)],
            ["Messages", () => count.format(found().data.total_messages)],
            ["With a message in the last 24 hours", () => count.format(found().data.active_conversations_24h)],
          ]}
        />
      )}
    </Loaded>
  )
}

/** What users write to each other, the latest first. */
const Conversations = () => {
  const project = useProject()
  const { slice, turn } = useSlice()
  const conversations = createQuery(() => ({
    queryKey: ["conversations", project.id(), slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/messaging/conversations", {
        params: { path: project.path(), query: slice() },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  const columns: Columns<Schemas["AdminConversation"]> = [
    {
      header: "Conversation",
      cell: ({ row }) => (
        <A href={project.href(`conversations/${row.original.id}`)}>
          {row.original.name ?? (row.original.type === "direct" ? "Between two" : "A group without a name")}
        </A>
      ),
    },
    { header: "People", cell: ({ row }) => count.format(row.original.participant_count) },
    { header: "From", cell: ({ row }) => row.original.last_message?.sender?.display_name },
    { header: "Last message", cell: ({ row }) => row.original.last_message?.body?.slice(0, 100) },
    { header: "When", cell: ({ row }) => <Time at={row.original.last_message?.created_at} /> },
  ]
  return (
    <Page title="Conversations">
      <Stats />
      <Loaded of={conversations}>
        {(found) => (
          <>
            <Table
              label="Conversations"
              rows={found().data}
              columns={columns}
              empty="Nobody has written to anybody yet."
            />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Conversations
