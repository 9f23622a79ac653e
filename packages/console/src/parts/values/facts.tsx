import { For, type JSX } from "solid-js"

/** What is known about one thing: names with their values. */
export const Facts = (props: { readonly of: ReadonlyArray<readonly [name: string, value: () => JSX.Element]> }) => (
  <dl class="facts">
    <For each={props.of}>
      {([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value()}</dd>
        </div>
      )}
    </For>
  </dl>
)
