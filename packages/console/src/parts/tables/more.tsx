import { Show } from "solid-js"
import { Button } from "../button.tsx"
import { sayNumber } from "../values/say-number.ts"

interface MoreProps {
  readonly of: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage(): unknown }
  /** How many rows are in sight. */
  readonly shown?: number
  /** Of how many in all, where that is known. */
  readonly total?: number | undefined
}

/** Reads the next page of a list that is read on by a cursor. */
export const More = (props: MoreProps) => (
  <Show when={props.of.hasNextPage}>
    <div class="row">
      <Button busy={props.of.isFetchingNextPage} onClick={() => void props.of.fetchNextPage()}>
        Show more
      </Button>
      <Show when={props.total}>
        {(total) => (
          <span class="quiet" role="status">
            {sayNumber(props.shown ?? 0)} of {sayNumber(total())}
          </span>
        )}
      </Show>
    </div>
  </Show>
)
