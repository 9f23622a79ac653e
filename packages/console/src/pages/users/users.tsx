import { A, useSearchParams } from "@solidjs/router"
import { createQuery, keepPreviousData } from "@tanstack/solid-query"
import { api, type Schemas } from "../../api.ts"
import { Field } from "../../parts/field.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { type Columns, Table } from "../../parts/table.tsx"
import { Time } from "../../parts/time.tsx"
import { useProject } from "../../shell/project.tsx"

type Row = Schemas["AdminUser"]

/** The users, found by id, email or name. */
const Users = () => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ q?: string }>()
  const users = createQuery(() => ({
    queryKey: ["users", project.id(), search.q ?? ""],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/users", {
        params: { path: project.path(), query: { limit: 50, ...(search.q ? { search: search.q } : {}) } },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  const columns: Columns<Row> = [
    {
      header: "User",
      cell: ({ row }) => (
        <A href={project.href(`users/${row.original.id}`)}>
          {row.original.display_name || row.original.email || row.original.id}
        </A>
      ),
    },
    { header: "Email", cell: ({ row }) => row.original.email },
    { header: "Last seen", cell: ({ row }) => <Time at={row.original.last_seen_at} /> },
  ]
  return (
    <Page title="Users">
      <Field
        label="Search"
        type="search"
        hint="An id, an email or a name."
        value={search.q ?? ""}
        onInput={(event) => setSearch({ q: event.currentTarget.value || null }, { replace: true })}
      />
      <Loaded of={users}>
        {(found) => <Table label="Users" rows={found().data} columns={columns} empty="No user is found." />}
      </Loaded>
    </Page>
  )
}

export default Users
