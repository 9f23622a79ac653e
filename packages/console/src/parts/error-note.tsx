import { HearthError } from "@hearth/client"
import { Show } from "solid-js"

/** What went wrong: the sentence, the code, and the id by which an operator finds the call. Nothing without an error. */
export const ErrorNote = (props: { readonly error: unknown }) => {
  const known = () => (props.error instanceof HearthError ? props.error : null)
  return (
    <Show when={props.error}>
      <div class="error-note" role="alert">
        <p>{props.error instanceof Error ? props.error.message : String(props.error)}</p>
        <Show when={known()}>
          {(error) => (
            <p class="small">
              <code>{error().code}</code>
              <Show when={error().requestId}>
                {(id) => (
                  <>
                    {" · request "}
                    <code>{id()}</code>
                  </>
                )}
              </Show>
            </p>
          )}
        </Show>
      </div>
    </Show>
  )
}
