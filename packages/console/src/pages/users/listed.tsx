import type { RowData } from "@tanstack/solid-table"
import { Loaded } from "../../parts/loaded.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"

interface ListedProps<Row extends RowData> {
  /** What stands above the table, and says what its rows are. */
  readonly title: string
  readonly of: Parameters<typeof Loaded<{ readonly data: ReadonlyArray<Row> }>>[0]["of"]
  readonly columns: Columns<Row>
  /** Said in place of a table without rows. */
  readonly empty: string
}

/** What the user has of one sort, where it is read at once. */
export const Listed = <Row extends RowData>(props: ListedProps<Row>) => (
  <section class="stored">
    <h2>{props.title}</h2>
    <Loaded of={props.of}>
      {(found) => <Table label={props.title} rows={found().data} columns={props.columns} empty={props.empty} />}
    </Loaded>
  </section>
)
