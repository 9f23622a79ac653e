import { hasEnded, signOut } from "../api.ts"
import { Button } from "../parts/button.tsx"
import { Modal } from "../parts/dialogs/modal.tsx"
import { SignInForm } from "./sign-in.tsx"

/** Asks who was signed out to sign in again, over the page, which stays as it is. */
export const SessionEnded = () => (
  <Modal
    isOpen={hasEnded()}
    isAlert
    title="Your session has ended"
    says="You were signed out in another place, or your session was revoked. Sign in to go on where you were: the page behind keeps what you have typed."
  >
    <SignInForm isNew={false} />
    <Button kind="link" onClick={() => void signOut()}>
      Leave this page
    </Button>
  </Modal>
)
