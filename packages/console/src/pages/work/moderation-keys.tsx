import { Dialog } from "@ark-ui/solid/dialog"
import { For } from "solid-js"
import { Portal } from "solid-js/web"
import { Button } from "../../parts/button.tsx"
import { undoMillis } from "./moderation-queue.ts"

const keys = [
  ["j", "the next item"],
  ["k", "the item before"],
  ["a", "approve: others see it"],
  ["r", "reject: nobody sees it any more"],
  ["e", "escalate: somebody else decides"],
  ["u", `take the last decision back, within ${undoMillis / 1_000} seconds`],
  ["?", "these keys"],
] as const

/** The keys of the queue. */
export const ModerationKeys = (props: { readonly isOpen: boolean; readonly onClose: () => void }) => (
  <Dialog.Root open={props.isOpen} onOpenChange={({ open }) => !open && props.onClose()} lazyMount unmountOnExit>
    <Portal>
      <Dialog.Backdrop class="backdrop" />
      <Dialog.Positioner class="dialog-place">
        <Dialog.Content class="dialog">
          <Dialog.Title>Keys</Dialog.Title>
          <dl class="queue-facts">
            <For each={keys}>
              {([key, says]) => (
                <>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{says}</dd>
                </>
              )}
            </For>
          </dl>
          <div class="row end">
            <Button onClick={() => props.onClose()}>Close</Button>
          </div>
        </Dialog.Content>
      </Dialog.Positioner>
    </Portal>
  </Dialog.Root>
)
