/** A value as JSON, with a frame that scrolls. */
export const JsonView = (props: { readonly value: unknown; readonly label: string }) => (
  // A region that scrolls must be reachable by keyboard.
  <section class="json" tabindex="0" aria-label={props.label}>
    <pre>{JSON.stringify(props.value, null, 2)}</pre>
  </section>
)
