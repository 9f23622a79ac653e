import { A } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { type JSX, Show } from "solid-js"
import { Dynamic } from "solid-js/web"
import { useProject } from "../../shell/project.tsx"
import { createQuery } from "../create-query.ts"
import { Loaded } from "../loaded.tsx"
import { Page } from "../page.tsx"
import { type CountedPage, createPages } from "../tables/load-more.ts"
import { More } from "../tables/more.tsx"
import { Pager } from "../tables/pager.tsx"
import { type Columns, Table } from "../tables/table.tsx"
import { useSlice } from "../tables/use-slice.ts"
import type { Definition } from "./definition.ts"

interface ListProps<Row extends { readonly id: string }, New, Changes> {
  readonly definition: Definition<Row, New, Changes>
}

interface RowsProps<Row extends { readonly id: string }, New, Changes> extends ListProps<Row, New, Changes> {
  readonly children: (rows: () => ReadonlyArray<Row>) => JSX.Element
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

/** The rows of a list that is read by limit and offset. */
const SlicedRows = <Row extends { readonly id: string }, New, Changes>(props: RowsProps<Row, New, Changes>) => {
  const { definition } = props
  const project = useProject()
  const { slice, turn } = useSlice()
  const list = createQuery(() => ({
    queryKey: [definition.path, project.id(), "list", slice()],
    queryFn: ({ signal }) => definition.list(project.path(), slice(), signal),
    placeholderData: keepPreviousData,
  }))
  return (
    <Loaded of={list}>
      {(found) => (
        <>
          {props.children(() => found().data)}
          <Pager of={found()} onTurn={turn} />
        </>
      )}
    </Loaded>
  )
}

/** The rows of a list that is read on by a cursor. */
const LongRows = <Row extends { readonly id: string }, New, Changes>(props: RowsProps<Row, New, Changes>) => {
  const { definition } = props
  const project = useProject()
  const list = createPages<Row, CountedPage<Row>>(
    () => [definition.path, project.id(), "list"],
    (cursor = "start", signal) => definition.list(project.path(), { limit: 50, cursor }, signal),
  )
  return (
    <Loaded of={list.query}>
      {() => (
        <>
          {props.children(list.rows)}
          <More of={list.query} shown={list.rows().length} total={list.first()?.total} />
        </>
      )}
    </Loaded>
  )
}

/** The definitions of one sort, page by page, on the page of something else. */
export const DefinitionTable = <Row extends { readonly id: string }, New, Changes>(
  props: ListProps<Row, New, Changes> & { readonly withNew?: boolean },
) => {
  const { definition } = props
  const project = useProject()
  const columns: Columns<Row> = [
    {
      header: "Name",
      cell: ({ row }) => (
        <A href={project.href(`${definition.path}/${row.original.id}`)}>{definition.sayName(row.original)}</A>
      ),
    },
    ...definition.columns,
  ]
  const Empty = () => (
    <>
      There is no {definition.noun} yet.
      <Show when={project.mayWrite()}>
        {" "}
        <A href={project.href(`${definition.path}/new`)}>Make the first {definition.noun}</A>
      </Show>
    </>
  )
  const table = (rows: () => ReadonlyArray<Row>) => (
    <Table label={definition.title} rows={rows()} columns={columns} empty={<Empty />} />
  )
  return (
    <>
      <Show when={definition.isLong} fallback={<SlicedRows definition={definition}>{table}</SlicedRows>}>
        <LongRows definition={definition}>{table}</LongRows>
      </Show>
      <Show when={props.withNew}>
        <div>
          <NewLink definition={definition} />
        </div>
      </Show>
    </>
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
