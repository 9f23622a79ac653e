import { type ColumnDef, createTable, type RowData, tableFeatures } from "@tanstack/solid-table"
import { For, type JSX, Show, untrack } from "solid-js"

const features = tableFeatures({})

/** The columns of a table of rows of one sort. */
export type Columns<Row extends RowData> = ReadonlyArray<ColumnDef<typeof features, Row>>

/** The column of what can be done with a row; who may not write has no such column. */
export const actionColumn = <Row extends RowData>(mayWrite: boolean, act: (row: Row) => JSX.Element): Columns<Row> =>
  mayWrite ? [{ id: "actions", header: "Actions", cell: ({ row }) => act(row.original) }] : []

interface TableProps<Row extends RowData> {
  /** What the rows are, for those who hear the page. */
  readonly label: string
  readonly rows: ReadonlyArray<Row>
  readonly columns: Columns<Row>
  /** Said in place of a table without rows: what would be here, and the next step. */
  readonly empty: JSX.Element
}

/** Rows in columns. On a narrow screen the table scrolls in its own frame; a column with the id `actions` stays in sight. */
export const Table = <Row extends RowData>(props: TableProps<Row>) => {
  const table = createTable({
    features,
    get columns() {
      return props.columns as Array<ColumnDef<typeof features, Row>>
    },
    get data() {
      return props.rows as Array<Row>
    },
  })
  return (
    <Show when={props.rows.length > 0} fallback={<p class="quiet empty">{props.empty}</p>}>
      {/* A region that scrolls must be reachable by keyboard. */}
      <section class="table" tabindex="0" aria-label={props.label}>
        <table aria-label={props.label}>
          <thead>
            <For each={table.getHeaderGroups()}>
              {(group) => (
                <tr>
                  <For each={group.headers}>
                    {(header) => (
                      <th scope="col" classList={{ actions: header.column.id === "actions" }}>
                        <table.FlexRender header={header} />
                      </th>
                    )}
                  </For>
                </tr>
              )}
            </For>
          </thead>
          <tbody>
            {/* A row whose record is the same stays when the list is read anew, with the focus and the dialogs in it. */}
            <For each={table.getRowModel().rows.map(({ original }) => original)}>
              {(_, index) => {
                const row = untrack(() => table.getRowModel().rows[index()])
                return (
                  <tr>
                    <For each={row?.getAllCells()}>
                      {(cell) => (
                        <td classList={{ actions: cell.column.id === "actions" }}>
                          <table.FlexRender cell={cell} />
                        </td>
                      )}
                    </For>
                  </tr>
                )
              }}
            </For>
          </tbody>
        </table>
      </section>
    </Show>
  )
}
