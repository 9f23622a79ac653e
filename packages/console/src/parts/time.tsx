import { Show } from "solid-js"

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

/** A time in the viewer's zone, with UTC on hover. A dash where there is none. */
export const Time = (props: { readonly at: string | null | undefined }) => (
  <Show when={props.at} fallback={<span class="quiet">–</span>}>
    {(at) => (
      <time
        dateTime={at()}
        title={`${at()
          .replace("T", " ")
          .replace(/\.\d+Z$|Z$/, "")} UTC`}
      >
        {local.format(new Date(at()))}
      </time>
    )}
  </Show>
)
