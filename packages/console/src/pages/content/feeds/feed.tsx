import "../content.css"
import { A, useSearchParams } from "@solidjs/router"
import { createQuery, keepPreviousData, useQueryClient } from "@tanstack/solid-query"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { Page } from "../../../parts/page.tsx"
import { Pager } from "../../../parts/pager.tsx"
import { actionColumn, type Columns, Table } from "../../../parts/table.tsx"
import { Time } from "../../../parts/time.tsx"
import { useSlice } from "../../../parts/use-slice.ts"
import { UserLink } from "../../../parts/user-link.tsx"
import { useProject } from "../../../shell/project.tsx"

type Item = Schemas["FeedItem"]

/** What users did, as all of them together could read it. */
const Feed = () => {
  const project = useProject()
  const client = useQueryClient()
  const { slice, turn } = useSlice()
  const [search, setSearch] = useSearchParams<{ action?: string }>()
  const items = createQuery(() => ({
    queryKey: ["feed", project.id(), search.action ?? "", slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/feeds/items", {
        params: {
          path: project.path(),
          query: { ...slice(), ...(search.action ? { action: search.action } : {}) },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
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
    ...actionColumn<Item>(project.mayWrite(), ({ id }) => (
      <Confirm
        action="Remove"
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
        onChange={(event) => setSearch({ action: event.currentTarget.value || null, offset: null }, { replace: true })}
      />
      <Loaded of={items}>
        {(found) => (
          <>
            <Table label="Feed" rows={found().data} columns={columns()} empty="There is nothing in the feed." />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Feed
