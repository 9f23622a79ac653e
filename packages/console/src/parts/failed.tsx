import { ErrorBoundary, type ParentProps } from "solid-js"
import { Button } from "./button.tsx"
import { ErrorNote } from "./error-note.tsx"

/** A fault of the console itself costs the part that has it, and can be tried again. */
export const Failed = (props: ParentProps) => (
  <ErrorBoundary
    fallback={(error, reset) => (
      <section class="page">
        <ErrorNote error={error} />
        <Button onClick={reset}>Try again</Button>
      </section>
    )}
  >
    {props.children}
  </ErrorBoundary>
)
