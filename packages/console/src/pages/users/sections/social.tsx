import { A } from "@solidjs/router"
import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Loaded } from "../../../parts/loaded.tsx"
import { type Columns, Table } from "../../../parts/tables/table.tsx"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { sayTime, Time } from "../../../parts/values/time.tsx"
import { UserLink } from "../../../parts/values/user-link.tsx"
import { sayWord } from "../../../parts/values/words.ts"
import { useProject } from "../../../shell/project.tsx"
import { NamedLink } from "../named-link.tsx"
import { RecordsList } from "../records.tsx"
import { useUser } from "../use-user.ts"

type Item = Schemas["ModerationQueueItem"]

const columns: Columns<Item> = [
  { header: "When", cell: ({ row: { original } }) => <Time at={original.created_at} /> },
  { header: "What", cell: ({ row: { original } }) => sayWord(original.content_type) },
  { header: "Text", cell: ({ row: { original } }) => original.excerpt },
  { header: "Because of", cell: ({ row: { original } }) => original.reason },
  { header: "Reports", cell: ({ row: { original } }) => sayNumber(original.report_count) },
]

/** What waits for moderators that this user has made: matched by rules, or reported by others. */
const Reported = () => {
  const user = useUser()
  const items = createQuery(() => ({
    queryKey: user.key("reported"),
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/moderation/queue", {
        params: { path: user.project.path(), query: { user_id: user.id(), limit: 50 } },
      }),
  }))
  return (
    <section class="stored">
      <h2>Waiting for moderators</h2>
      <Loaded of={items}>
        {(found) => (
          <>
            <Table
              label="Waiting for moderators"
              rows={found().data}
              columns={columns}
              empty="Nothing of this user is reported or held."
            />
            <Show when={found().total > 0}>
              <p>
                {sayNumber(found().total)} in all. <A href={user.project.href("moderation")}>To the queue</A>
              </p>
            </Show>
          </>
        )}
      </Loaded>
    </section>
  )
}

const ConversationLink = (props: { readonly id: unknown; readonly at: unknown }) => {
  const project = useProject()
  return (
    <A href={project.href(`conversations/${String(props.id)}`)}>
      the conversation<span class="unseen"> of {sayTime(String(props.at))}</span>
    </A>
  )
}

/** What the user has to do with others: groups, messages, reviews, reports. */
const Social = () => (
  <>
    <Reported />
    <RecordsList
      of={[
        {
          section: "group_memberships",
          title: "Groups",
          fields: [
            { header: "Group", cell: ({ group_id }) => <NamedLink folder="groups" id={group_id} /> },
            "role",
            "joined_at",
          ],
          empty: "The user is in no group.",
        },
        {
          section: "conversations",
          title: "Conversations",
          fields: ["created_at", "type", "name"],
          empty: "The user takes part in none.",
          link: ({ id, created_at }) => <ConversationLink id={id} at={created_at} />,
        },
        {
          section: "messages",
          title: "Messages",
          fields: [
            "created_at",
            "body",
            {
              header: "In",
              cell: ({ conversation_id, created_at }) => <ConversationLink id={conversation_id} at={created_at} />,
            },
          ],
          empty: "The user has written none.",
        },
        {
          section: "reviews",
          title: "Reviews",
          fields: ["created_at", "rating", "title", "body", "is_approved", "moderation"],
          empty: "The user has written none.",
        },
        {
          section: "moderation_reports",
          title: "Reported by this user",
          fields: ["created_at", "content_type", "reason"],
          empty: "The user has reported nothing.",
        },
        {
          section: "trust_levels",
          title: "Trust",
          fields: ["trust_level", "auto_approve", "updated_at"],
          empty: "Nobody has set one.",
        },
        {
          section: "content_items",
          title: "Content",
          fields: ["created_at", "title", "category", "moderation"],
          empty: "The user has made none.",
        },
        {
          section: "media_assets",
          title: "Files",
          fields: ["created_at", "filename", "mime_type", "size_bytes", "status"],
          empty: "The user has uploaded none.",
        },
        {
          section: "feed_items",
          title: "In feeds",
          fields: ["created_at", "action", "target_id"],
          empty: "Nothing of this user is in feeds.",
        },
        {
          section: "follows",
          title: "Follows",
          fields: ["created_at", { header: "Whom", cell: ({ followed_id }) => <UserLink id={String(followed_id)} /> }],
          empty: "The user follows nobody.",
        },
        {
          section: "blocks",
          title: "Blocks",
          fields: ["created_at", { header: "Whom", cell: ({ blocked_id }) => <UserLink id={String(blocked_id)} /> }],
          empty: "The user has blocked nobody.",
        },
      ]}
    />
  </>
)

export default Social
