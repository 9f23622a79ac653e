import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from "@tanstack/solid-query"

const isOurs = (error: unknown): boolean => (error as { status?: number } | null)?.status !== undefined

class Queries extends QueryClient {
  /** Asks again also for what is on its way for the first time: it may be from before the change. The library takes that as new. */
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    if (filters?.refetchType !== "none") {
      const coming = this.getQueryCache().findAll({ ...filters, type: "active", fetchStatus: "fetching" })
      // Who waits for it gets the answer to the next call.
      for (const query of coming)
        if (query.state.data === undefined && !query.isDisabled()) void query.cancel({ silent: true })
    }
    return super.invalidateQueries(filters, options)
  }
}

/**
 * What was read is shown at once when a page is opened again, and read anew behind it. The client has tried again already where
 * that helps.
 */
export const queries = new Queries({
  defaultOptions: {
    queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: false, refetchOnWindowFocus: true, throwOnError: false },
    mutations: { retry: false, throwOnError: (error) => !isOurs(error) },
  },
})
