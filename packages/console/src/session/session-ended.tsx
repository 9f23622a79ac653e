import { Dialog } from "@ark-ui/solid/dialog"
import { Portal } from "solid-js/web"
import { hasEnded, signOut } from "../api.ts"
import { Button } from "../parts/button.tsx"
import { SignInForm } from "./sign-in.tsx"

/** Asks who was signed out to sign in again, over the page, which stays as it is. */
export const SessionEnded = () => (
  <Dialog.Root
    open={hasEnded()}
    role="alertdialog"
    closeOnEscape={false}
    closeOnInteractOutside={false}
    lazyMount
    unmountOnExit
  >
    <Portal>
      <Dialog.Backdrop class="backdrop" />
      <Dialog.Positioner class="dialog-place">
        <Dialog.Content class="dialog">
          <Dialog.Title>Your session has ended</Dialog.Title>
          <Dialog.Description>
            You were signed out in another place, or your session was revoked. Sign in to go on where you were: the page
            behind keeps what you have typed.
          </Dialog.Description>
          <SignInForm isNew={false} />
          <Button kind="link" onClick={() => void signOut()}>
            Leave this page
          </Button>
        </Dialog.Content>
      </Dialog.Positioner>
    </Portal>
  </Dialog.Root>
)
