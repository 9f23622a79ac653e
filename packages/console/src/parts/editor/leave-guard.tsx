import { type BeforeLeaveEventArgs, useBeforeLeave } from "@solidjs/router"
import { createSignal, onCleanup, onMount } from "solid-js"
import { Button } from "../button.tsx"
import { Modal } from "../dialogs/modal.tsx"

const isElsewhere = ({ from, to }: BeforeLeaveEventArgs): boolean =>
  typeof to === "number" || new URL(to, `${location.origin}${from.pathname}`).pathname !== from.pathname

/** Asks before a page with something unsaved is left: within the console by a dialog, otherwise by the browser. */
export const LeaveGuard = (props: { readonly isDirty: boolean }) => {
  const [leaving, setLeaving] = createSignal<BeforeLeaveEventArgs | null>(null)
  useBeforeLeave((event) => {
    if (!props.isDirty || event.defaultPrevented || !isElsewhere(event)) return
    event.preventDefault()
    setLeaving(event)
  })
  const ask = (event: BeforeUnloadEvent) => {
    if (props.isDirty) event.preventDefault()
  }
  onMount(() => addEventListener("beforeunload", ask))
  onCleanup(() => removeEventListener("beforeunload", ask))
  return (
    <Modal
      isOpen={leaving() !== null}
      onClose={() => setLeaving(null)}
      isAlert
      title="Leave without saving?"
      says="What you have changed here is not saved yet."
    >
      <div class="row end">
        <Button onClick={() => setLeaving(null)}>Stay</Button>
        <Button
          kind="danger"
          onClick={() => {
            const event = leaving()
            setLeaving(null)
            event?.retry(true)
          }}
        >
          Leave
        </Button>
      </div>
    </Modal>
  )
}
