import { A, useSearchParams } from "@solidjs/router"
import { createQuery, keepPreviousData } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { Dynamic } from "solid-js/web"
import { useProject } from "../../shell/project.tsx"
import { Loaded } from "../loaded.tsx"
import { Page } from "../page.tsx"
import { Pager } from "../pager.tsx"
import { type Columns, Table } from "../table.tsx"
import type { Definition } from "./definition.ts"

// How many rows a page of the list has.
const pageSize = 50

/** The definitions of one sort, page by page. */
export const DefinitionList = <Row extends { readonly id: string }, New, Changes>(props: {
  readonly definition: Definition<Row, New, Changes>
}) => {
  const { definition } = props
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ offset?: string }>()
  const offset = () => Math.max(0, Math.floor(Number(search.offset ?? 0)) || 0)
  const list = createQuery(() => ({
    queryKey: [definition.path, project.id(), "list", offset()],
    queryFn: ({ signal }) => definition.list(project.path(), { limit: pageSize, offset: offset() }, signal),
    placeholderData: keepPreviousData,
  }))
  const columns: Columns<Row> = [
    {
      header: "Name",
      cell: ({ row }) => (
        <A href={project.href(`${definition.path}/${row.original.id}`)}>{definition.nameOf(row.original)}</A>
      ),
    },
    ...definition.columns,
  ]
  return (
    <Page
      title={definition.title}
      actions={
        <Show when={project.mayWrite()}>
          <A class="button primary" href={project.href(`${definition.path}/new`)}>
            New {definition.noun}
          </A>
        </Show>
      }
    >
      <p class="quiet">{definition.about}</p>
      <Dynamic component={definition.Above} />
      <Loaded of={list}>
        {(found) => (
          <>
            <Table
              label={definition.title}
              rows={found().data}
              columns={columns}
              empty={`There is no ${definition.noun} yet.`}
            />
            <Pager of={found()} onTurn={(to) => setSearch({ offset: to > 0 ? String(to) : null })} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
