import { Show } from "solid-js"

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })

/** A time in the viewer's zone, by which one of several is known. */
export const sayTime = (at: string): string => exact.format(new Date(at))

interface TimeProps {
  readonly at: string | null | undefined
  /** How it is written; with day and minute where left out. */
  readonly write?: (at: Date) => string
}

/** A time in the viewer's zone, with UTC on hover. A dash where there is none. */
export const Time = (props: TimeProps) => (
  <Show when={props.at} fallback={<span class="quiet">–</span>}>
    {(at) => (
      <time
        dateTime={at()}
        title={`${at()
          .replace("T", " ")
          .replace(/\.\d+Z$|Z$/, "")} UTC`}
      >
        {(props.write ?? local.format)(new Date(at()))}
      </time>
    )}
  </Show>
)
