import { Clipboard } from "@ark-ui/solid/clipboard"

/** Code to copy, in a frame that scrolls. */
export const CodeBlock = (props: { readonly code: string; readonly label: string }) => (
  <Clipboard.Root value={props.code} class="code">
    {/* A region that scrolls must be reachable by keyboard. */}
    <section class="json" tabindex="0" aria-label={props.label}>
      <pre>{props.code}</pre>
    </section>
    <Clipboard.Trigger class="button plain" aria-label={`Copy: ${props.label}`}>
      <Clipboard.Indicator copied="Copied">Copy</Clipboard.Indicator>
    </Clipboard.Trigger>
  </Clipboard.Root>
)
