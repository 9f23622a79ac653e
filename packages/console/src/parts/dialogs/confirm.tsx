import { createSignal, type JSX } from "solid-js"
import { Button } from "../button.tsx"
import { ErrorNote } from "../error-note.tsx"
import { createReturn } from "./keep-focus.ts"
import { Modal } from "./modal.tsx"
import { say } from "./toasts.tsx"

interface ConfirmProps {
  /** What the button says, and the dialog again. */
  readonly action: string
  /** Which of several it is for, where a list has the same button in every row: said to who hears the button, and in the dialog. */
  readonly of?: string | undefined
  /** What will happen, in a sentence. */
  readonly says: JSX.Element
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Fields of the action. The form is given to `run`. */
  readonly children?: JSX.Element
  readonly run: (form: FormData) => Promise<unknown>
  /** What is said when it is done. */
  readonly done?: string
}

/** A button that says what will happen before it does it. An error stays in the dialog, so that nothing typed is lost. */
export const Confirm = (props: ConfirmProps) => {
  const [isOpen, setIsOpen] = createSignal(false)
  const [error, setError] = createSignal<unknown>(null)
  const [isBusy, setIsBusy] = createSignal(false)
  const place = createReturn()
  const close = () => {
    setIsOpen(false)
    setError(null)
    place.leave()
  }
  const named = () => (props.of === undefined ? props.action : `${props.action}: ${props.of}`)
  const kind = () => (props.danger === true ? "danger" : "primary")

  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsBusy(true)
    setError(null)
    try {
      await props.run(new FormData(event.currentTarget as HTMLFormElement))
      close()
      say(props.done ?? "Done.")
    } catch (problem) {
      setError(problem)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-label={props.of === undefined ? undefined : named()}
        disabled={props.disabled === true}
        onClick={({ currentTarget }) => {
          place.enter(currentTarget)
          setIsOpen(true)
        }}
      >
        {props.action}
      </Button>
      <Modal isOpen={isOpen()} onClose={close} title={named()} says={props.says} isAlert={props.danger === true}>
        <form onSubmit={send}>
          {props.children}
          <ErrorNote error={error()} />
          <div class="row end">
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" kind={kind()} busy={isBusy()}>
              {props.action}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  )
}
