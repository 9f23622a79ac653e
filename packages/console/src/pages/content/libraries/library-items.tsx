import { useSearchParams } from "@solidjs/router"
import { keepPreviousData, useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field, FlagField } from "../../../parts/field.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { Filter } from "../../../parts/tables/filter.tsx"
import { Pager } from "../../../parts/tables/pager.tsx"
import { actionColumn, type Columns, Table } from "../../../parts/tables/table.tsx"
import { useSlice } from "../../../parts/tables/use-slice.ts"
import { sayShort } from "../../../parts/values/say-short.ts"
import { UserLink } from "../../../parts/values/user-link.tsx"
import { useProject } from "../../../shell/project.tsx"
import { ImportItems } from "./import-items.tsx"
import { ItemFields, readItem, readItemChanges } from "./item-form.tsx"

type Item = Schemas["ContentItem"]

const EditItem = (props: { readonly item: Item; readonly onDone: () => Promise<unknown> }) => {
  const project = useProject()
  const path = () => ({ ...project.path(), itemId: props.item.id })
  const name = () => sayShort(props.item.title || props.item.body)
  const change = async (form: FormData) => {
    await api.PATCH("/admin/projects/{projectId}/content/items/{itemId}", {
      params: { path: path() },
      body: readItemChanges(props.item, form),
    })
    await props.onDone()
  }
  const remove = async () => {
    await api.DELETE("/admin/projects/{projectId}/content/items/{itemId}", { params: { path: path() } })
    await props.onDone()
  }
  return (
    <div class="row">
      <Confirm
        action="Edit"
        of={name()}
        says="Users see the change at once. A new text of a user's item is shown, whatever moderation said."
        done="The item is saved."
        run={change}
      >
        <ItemFields item={props.item} />
        <Field
          name="sort_order"
          label="Place"
          hint="Items come in ascending order."
          value={String(props.item.sort_order)}
          required
        />
        <FlagField
          name="is_active"
          label="Active"
          hint="Users do not see inactive items, and nothing delivers them."
          checked={props.item.is_active}
        />
      </Confirm>
      <Confirm
        action="Remove"
        of={name()}
        danger
        says="The item is gone for good, and what was delivered of it is listed no more."
        done="The item is gone."
        run={remove}
      />
    </div>
  )
}

const columnsFor = (mayWrite: boolean, refresh: () => Promise<unknown>): Columns<Item> => [
  { header: "Place", cell: ({ row }) => row.original.sort_order },
  { header: "Title", cell: ({ row }) => row.original.title ?? <span class="quiet">–</span> },
  { header: "Text", cell: ({ row }) => row.original.body.slice(0, 120) },
  { header: "Category", cell: ({ row }) => row.original.category },
  {
    header: "By",
    cell: ({ row }) => (
      <Show when={row.original.owner_app_user_id} fallback="the project">
        {(id) => <UserLink id={id()} />}
      </Show>
    ),
  },
  { header: "Moderation", cell: ({ row }) => row.original.moderation },
  ...actionColumn<Item>(mayWrite, (item) => <EditItem item={item} onDone={refresh} />),
]

/** The items of a library, page by page. */
export const LibraryItems = (props: { readonly libraryId: string }) => {
  const project = useProject()
  const client = useQueryClient()
  const { slice, turn } = useSlice()
  const [search, setSearch] = useSearchParams<{ items?: string }>()
  const isInactive = () => search.items === "inactive"
  const path = () => ({ ...project.path(), libraryId: props.libraryId })
  const items = createQuery(() => ({
    queryKey: ["library-items", project.id(), props.libraryId, isInactive(), slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/content/libraries/{libraryId}/items", {
        params: { path: path(), query: { ...slice(), ...(isInactive() ? { is_active: false } : {}) } },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["library-items", project.id(), props.libraryId] }),
      client.invalidateQueries({ queryKey: ["libraries", project.id()] }),
    ])
  const add = async (form: FormData) => {
    await api.POST("/admin/projects/{projectId}/content/libraries/{libraryId}/items", {
      params: { path: path() },
      body: { items: [readItem(form)] },
    })
    await refresh()
  }
  const columns = () => columnsFor(project.mayWrite(), refresh)
  return (
    <section class="page">
      <header class="row">
        <h2>Items</h2>
        <Show when={project.mayWrite()}>
          <div class="row end">
            <ImportItems libraryId={props.libraryId} onDone={refresh} />
            <Confirm
              action="New item"
              says="It comes at the end of the library, and users see it at once."
              done="The item is there."
              run={add}
            >
              <ItemFields />
            </Confirm>
          </div>
        </Show>
      </header>
      <Filter
        label="Show"
        choices={[
          ["", "active items"],
          ["inactive", "inactive items"],
        ]}
        value={isInactive() ? "inactive" : ""}
        onChange={(value) => setSearch({ items: value || null, offset: null })}
      />
      <Loaded of={items}>
        {(found) => (
          <>
            <Table
              label="Items"
              rows={found().data}
              columns={columns()}
              empty={isInactive() ? "No item of it is inactive." : "There is no item in it that is active."}
            />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </section>
  )
}
