import { Dialog } from "@ark-ui/solid/dialog"
import { type BeforeLeaveEventArgs, useBeforeLeave } from "@solidjs/router"
import { createSignal, onCleanup, onMount } from "solid-js"
import { Portal } from "solid-js/web"
import { Button } from "../button.tsx"

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
    <Dialog.Root
      open={leaving() !== null}
      onOpenChange={({ open }) => {
        if (!open) setLeaving(null)
      }}
      role="alertdialog"
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Dialog.Backdrop class="backdrop" />
        <Dialog.Positioner class="dialog-place">
          <Dialog.Content class="dialog">
            <Dialog.Title>Leave without saving?</Dialog.Title>
            <Dialog.Description>What you have changed here is not saved yet.</Dialog.Description>
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
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
