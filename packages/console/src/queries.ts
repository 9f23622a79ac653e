import { QueryClient } from "@tanstack/solid-query"

const isOurs = (error: unknown): boolean => (error as { status?: number } | null)?.status !== undefined

/**
 * What was read is shown at once when a page is opened again, and read anew behind it. The client has tried again already where
 * that helps.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: false, refetchOnWindowFocus: true, throwOnError: false },
    mutations: { retry: false, throwOnError: (error) => !isOurs(error) },
  },
})
