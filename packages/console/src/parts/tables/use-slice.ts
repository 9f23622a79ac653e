import { useSearchParams } from "@solidjs/router"

// As many as one looks through.
const size = 50

/** The part of a list that is shown: where it begins is in the address. */
export const useSlice = () => {
  const [search, setSearch] = useSearchParams<{ offset?: string }>()
  const offset = () => {
    const given = Number(search.offset ?? 0)
    return Number.isSafeInteger(given) && given > 0 ? given : 0
  }
  return {
    slice: () => ({ limit: size, offset: offset() }),
    turn: (to: number, options?: { readonly replace: boolean }) =>
      setSearch({ offset: to > 0 ? String(to) : null }, options),
  }
}
