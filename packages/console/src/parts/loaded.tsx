import { type JSX, Match, Switch } from "solid-js"
import { downSince } from "../connection.ts"
import { ErrorNote } from "./error-note.tsx"

interface Read<Data> {
  readonly data: Data | undefined
  readonly error: unknown
}

/** Says that something is coming. */
export const Loading = () => (
  <p class="quiet" aria-busy="true">
    Loading …
  </p>
)

/** What was read; before that a sign that it is coming, or why it cannot be. What is there stays while it is read again. */
export const Loaded = <Data,>(props: {
  readonly of: Read<Data>
  readonly children: (data: () => Data) => JSX.Element
}) => (
  <Switch fallback={<Loading />}>
    <Match when={props.of.data !== undefined}>
      {/* That the service is down is said once, above every page. */}
      <ErrorNote error={downSince() === null ? props.of.error : null} />
      {props.children(() => props.of.data as Data)}
    </Match>
    <Match when={props.of.error}>
      <ErrorNote error={props.of.error} />
    </Match>
  </Switch>
)
