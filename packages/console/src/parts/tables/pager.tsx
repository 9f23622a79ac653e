import { createEffect, Show } from "solid-js"
import { Button } from "../button.tsx"
import { sayNumber } from "../values/say-number.ts"

interface PagerProps {
  /** The page that is shown. */
  readonly of: { readonly total: number; readonly offset: number; readonly limit: number }
  readonly onTurn: (offset: number, options?: { readonly replace: boolean }) => void
}

/** Where one is in a list that is read by limit and offset, and the way to the pages around it. Nothing where all fits on one. */
export const Pager = (props: PagerProps) => {
  // Where the last rows of the last page were removed, or an address is old, there is no page: it would say that there is nothing at all.
  createEffect(() => {
    const { total, offset, limit } = props.of
    if (offset === 0 || offset < total) return
    props.onTurn(Math.max(0, Math.ceil(total / limit) - 1) * limit, { replace: true })
  })
  const end = () => Math.min(props.of.offset + props.of.limit, props.of.total)
  return (
    <Show when={props.of.offset > 0 || end() < props.of.total}>
      <section class="row" aria-label="Pages">
        <Button
          disabled={props.of.offset === 0}
          onClick={() => props.onTurn(Math.max(0, props.of.offset - props.of.limit))}
        >
          Previous
        </Button>
        <span class="quiet">
          {sayNumber(Math.min(props.of.offset + 1, end()))}–{sayNumber(end())} of {sayNumber(props.of.total)}
        </span>
        <Button disabled={end() >= props.of.total} onClick={() => props.onTurn(props.of.offset + props.of.limit)}>
          Next
        </Button>
      </section>
    </Show>
  )
}
