import type { RowData } from "@tanstack/solid-table"
import type { JSX } from "solid-js"
import { Loaded } from "../loaded.tsx"
import { More } from "./more.tsx"
import { type Columns, Table } from "./table.tsx"

interface PagesTableProps<Row extends RowData> {
  /** What `createPages` has made. */
  readonly of: {
    readonly query: Parameters<typeof Loaded>[0]["of"] & Parameters<typeof More>[0]["of"]
    readonly first: () => object | undefined
    readonly rows: () => ReadonlyArray<Row>
  }
  /** What the rows are, for those who hear the page. */
  readonly label: string
  readonly columns: Columns<Row>
  /** Said in place of a table without rows. */
  readonly empty: JSX.Element
}

/** A table of a list that is read on by its cursor, with how far it is read where the list is counted. */
export const PagesTable = <Row extends RowData>(props: PagesTableProps<Row>) => {
  const total = () => {
    const first = props.of.first()
    return first !== undefined && "total" in first && typeof first.total === "number" ? first.total : undefined
  }
  return (
    <Loaded of={props.of.query}>
      {() => (
        <>
          <Table label={props.label} rows={props.of.rows()} columns={props.columns} empty={props.empty} />
          <More of={props.of.query} shown={props.of.rows().length} total={total()} />
        </>
      )}
    </Loaded>
  )
}
