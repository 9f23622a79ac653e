import { createInfiniteQuery } from "@tanstack/solid-query"

interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor?: string | null
}

/**
 * A list that is read page by page by its cursor, and never as a whole. `read` is given the cursor of the page, undefined for
 * the first.
 */
export const createPages = <Row>(
  key: () => ReadonlyArray<unknown>,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
) => {
  const query = createInfiniteQuery(() => ({
    queryKey: key(),
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<Row>) => page.next_cursor ?? undefined,
  }))
  return {
    query,
    rows: () => query.data?.pages.flatMap(({ data }) => data) ?? [],
  }
}
