import "../content.css"
import { A, useSearchParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { Page } from "../../../parts/page.tsx"
import { type CountedPage, createPages } from "../../../parts/tables/load-more.ts"
import { PagesTable } from "../../../parts/tables/pages-table.tsx"
import { actionColumn, type Columns } from "../../../parts/tables/table.tsx"
import { sayShort } from "../../../parts/values/say-short.ts"
import { sayTime, Time } from "../../../parts/values/time.tsx"
import { UserLink } from "../../../parts/values/user-link.tsx"
import { useProject } from "../../../shell/project.tsx"

type Item = Schemas["FeedItem"]

/** What users did, as all of them together could read it. */
const Feed = () => {
  const project = useProject()
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams<{ action?: string }>()
  const items = createPages<Item, CountedPage<Item>>(
    () => ["feed", project.id(), search.action ?? ""],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/feeds/items", {
        params: {
          path: project.path(),
          query: { limit: 50, cursor, ...(search.action ? { action: search.action } : {}) },
        },
        signal,
      }),
    true,
  )
  const remove = async (itemId: string) => {
    await api.DELETE("/admin/projects/{projectId}/feeds/items/{itemId}", {
      params: { path: { ...project.path(), itemId } },
    })
    await client.invalidateQueries({ queryKey: ["feed", project.id()] })
  }
  const columns = (): Columns<Item> => [
    {
      header: "Who",
      cell: ({ row }) => <UserLink id={row.original.actor_id} name={row.original.actor.display_name} />,
    },
    { header: "Did", cell: ({ row }) => row.original.action },
    { header: "To", cell: ({ row }) => row.original.target_id },
    { header: "When", cell: ({ row }) => <Time at={row.original.created_at} /> },
    ...actionColumn<Item>(project.mayWrite(), ({ id, actor, action, created_at }) => (
      <Confirm
        action="Remove"
        of={sayShort(`${actor.display_name || "a user"} ${action}, ${sayTime(created_at)}`)}
        danger
        says="Nobody sees the item any more. Its event stays in the log."
        done="The item is gone."
        run={() => remove(id)}
      />
    )),
  ]
  return (
    <Page title="Feed" actions={<A href={project.href("feed-rules")}>Rules</A>}>
      <Field
        label="What was done"
        type="search"
        hint="The action of a rule, as a whole word."
        value={search.action ?? ""}
        onChange={(event) => setSearch({ action: event.currentTarget.value || null }, { replace: true })}
      />
      <PagesTable
        label="Feed"
        of={items}
        columns={columns()}
        empty={
          <Show when={!search.action} fallback="Nobody did that.">
            What users do is shown here to others, where a rule says so.{" "}
            <A href={project.href("feed-rules")}>To the feed rules</A>
          </Show>
        }
      />
    </Page>
  )
}

export default Feed
