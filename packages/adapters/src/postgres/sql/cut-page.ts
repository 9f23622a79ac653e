import { maxPageBytes, type Slice } from "@hearth/core"

/** SQL of how many bytes a text is long. One that is stored elsewhere is not read for it. */
export const textBytes = (column: string): string => `coalesce(octet_length(${column}), 0)`

/** SQL of about how many bytes JSON is long. Only what is compressed is read for it. */
export const jsonBytes = (column: string): string =>
  `coalesce(case when pg_column_compression(${column}) is null then pg_column_size(${column})
     else octet_length(${column}::text) end, 0)`

/** What `cutPage` adds to rows. */
export interface Measured {
  readonly page_rows: number
  readonly bytes_before: string | null
}

/** SQL of those rows of a page, in an order that its columns have, that begin within `maxPageBytes`: at least one. */
export const cutPage = (page: string, order: string, bytes: string): string => `
  select * from (
    select page.*, (count(*) over ())::int as page_rows,
      sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding) as bytes_before
    from (${page}) as page
  ) as measured where bytes_before is null or bytes_before < ${maxPageBytes} order by ${order}`

/** The rows that `cutPage` has selected, with `is_cut` where it has left out others. */
export const readCut = <Row>(
  found: ReadonlyArray<Row & Measured>,
): { readonly rows: ReadonlyArray<Row>; readonly is_cut?: true } => ({
  rows: found.map(({ page_rows: _, bytes_before: __, ...row }) => row as unknown as Row),
  ...(found.length < (found[0]?.page_rows ?? 0) ? { is_cut: true } : undefined),
})

/** How many rows a list has where a page of it tells so, which need not be counted: one that begins in it and is not full is the last. */
export const readTotal = (
  page: { readonly rows: ReadonlyArray<unknown>; readonly is_cut?: true },
  { limit, offset }: Slice,
): number | null =>
  page.is_cut !== true && page.rows.length > 0 && page.rows.length < limit ? offset + page.rows.length : null
