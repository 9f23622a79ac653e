import { useLocation } from "@solidjs/router"
import { createEffect, ErrorBoundary, on, type ParentProps } from "solid-js"
import { recoveries } from "../connection.ts"
import { Button } from "./button.tsx"
import { ErrorNote } from "./error-note.tsx"

const Fault = (props: { readonly error: unknown; readonly reset: () => void }) => {
  const location = useLocation()
  // Another page is not what has failed, and a service that is back may answer.
  createEffect(on([() => location.pathname, recoveries], () => props.reset(), { defer: true }))
  return (
    <section class="page">
      <ErrorNote error={props.error} />
      <div class="row">
        <Button onClick={() => props.reset()}>Try again</Button>
        <Button onClick={() => window.location.reload()}>Load the console anew</Button>
      </div>
    </section>
  )
}

/** A fault of the console itself costs the part that has it, and can be tried again. */
export const Failed = (props: ParentProps) => (
  <ErrorBoundary fallback={(error, reset) => <Fault error={error} reset={reset} />}>{props.children}</ErrorBoundary>
)
