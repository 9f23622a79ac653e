import { For } from "solid-js"
import { Button } from "../../parts/button.tsx"
import { Modal } from "../../parts/dialogs/modal.tsx"
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
  <Modal isOpen={props.isOpen} onClose={() => props.onClose()} title="Keys">
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
  </Modal>
)
