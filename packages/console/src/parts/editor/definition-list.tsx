import { A } from "@solidjs/router"
import { createQuery, keepPreviousData } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { Dynamic } from "solid-js/web"
import { useProject } from "../../shell/project.tsx"
import { Loaded } from "../loaded.tsx"
import { Page } from "../page.tsx"
import { Pager } from "../pager.tsx"
import { type Columns, Table } from "../table.tsx"
import { useSlice } from "../use-slice.ts"
import type { Definition } from "./definition.ts"

interface ListProps<Row extends { readonly id: string }, New, Changes> {
  readonly definition: Definition<Row, New, Changes>
}

const NewLink = <Row extends { readonly id: string }, New, Changes>(props: ListProps<Row, New, Changes>) => {
  const project = useProject()
  return (
    <Show when={project.mayWrite()}>
      <A class="button primary" href={project.href(`${props.definition.path}/new`)}>
        New {props.definition.noun}
      </A>
    </Show>
  )
}

/** The definitions of one sort, page by page, on the page of something else. */
export const DefinitionTable = <Row extends { readonly id: string }, New, Changes>(
  props: ListProps<Row, New, Changes> & { readonly withNew?: boolean },
) => {
  const { definition } = props
  const project = useProject()
  const { slice, turn } = useSlice()
  const list = createQuery(() => ({
    queryKey: [definition.path, project.id(), "list", slice()],
    queryFn: ({ signal }) => definition.list(project.path(), slice(), signal),
    placeholderData: keepPreviousData,
  }))
  const columns: Columns<Row> = [
    {
      header: "Name",
      cell: ({ row }) => (
        <A href={project.href(`${definition.path}/${row.original.id}`)}>{definition.sayName(row.original)}</A>
      ),
    },
    ...definition.columns,
  ]
  return (
    <Loaded of={list}>
      {(found) => (
        <>
          <Table
            label={definition.title}
            rows={found().data}
            columns={columns}
            empty={`There is no ${definition.noun} yet.`}
          />
          <Pager of={found()} onTurn={turn} />
          <Show when={props.withNew}>
            <div>
              <NewLink definition={definition} />
            </div>
          </Show>
        </>
      )}
    </Loaded>
  )
}

/** The page of the definitions of one sort. */
export const DefinitionList = <Row extends { readonly id: string }, New, Changes>(
  props: ListProps<Row, New, Changes>,
) => (
  <Page title={props.definition.title} actions={<NewLink definition={props.definition} />}>
    <p class="quiet">{props.definition.about}</p>
    <Dynamic component={props.definition.Above} />
    <DefinitionTable definition={props.definition} />
  </Page>
)
