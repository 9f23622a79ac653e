import { keepPreviousData } from "@tanstack/solid-query"
import { createInfiniteQuery } from "../create-query.ts"

interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor?: string | null
}

/** A page of a list that is counted. */
export interface CountedPage<Row> extends Page<Row> {
  readonly total: number
}

/**
 * A list that is read page by page by its cursor, and never as a whole. `read` is given the cursor of the page, undefined for
 * the first.
 */
export const createPages = <Row, Found extends Page<Row> = Page<Row>>(
  key: () => ReadonlyArray<unknown>,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Found>,
  /** Whether what was read before stays in sight until what is asked for now is there. */
  keepsBefore = false,
  /** How often the list is read again, while nobody has read beyond its first page. */
  refreshMillis: () => number | false = () => false,
) => {
  const query = createInfiniteQuery(() => ({
    queryKey: key(),
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Found) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }: { state: { data?: { pages: ReadonlyArray<unknown> } | undefined } }) =>
      (state.data?.pages.length ?? 0) > 1 ? (false as const) : refreshMillis(),
    ...(keepsBefore ? { placeholderData: keepPreviousData } : {}),
  }))
  return {
    query,
    /** The first page, with what is said of the whole list. */
    first: () => query.data?.pages[0],
    rows: () => query.data?.pages.flatMap(({ data }) => data) ?? [],
  }
}
