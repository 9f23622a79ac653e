import { Dialog } from "@ark-ui/solid/dialog"
import { type JSX, type ParentProps, Show } from "solid-js"
import { Portal } from "solid-js/web"

interface ModalProps {
  readonly isOpen: boolean
  /** Escape, or a click beside it. Without it the dialog stays until its own buttons close it. */
  readonly onClose?: () => void
  readonly title: string
  /** What it is about, in a sentence. */
  readonly says?: JSX.Element
  /** It interrupts, and what is chosen matters. */
  readonly isAlert?: boolean
  /** A search: at the top, and its field says what it is. */
  readonly isSearch?: boolean
  /** What has the focus once it is closed, where not what had it before. */
  readonly finalFocus?: () => HTMLElement | null
}

/** A dialog over the page, which keeps the focus until it is closed. */
export const Modal = (props: ParentProps<ModalProps>) => (
  <Dialog.Root
    open={props.isOpen}
    onOpenChange={({ open }) => {
      if (!open) props.onClose?.()
    }}
    role={props.isAlert === true ? "alertdialog" : "dialog"}
    closeOnEscape={props.onClose !== undefined}
    closeOnInteractOutside={props.onClose !== undefined}
    finalFocusEl={() => props.finalFocus?.() ?? null}
    lazyMount
    unmountOnExit
  >
    <Portal>
      <Dialog.Backdrop class="backdrop" />
      <Dialog.Positioner class="dialog-place" classList={{ "top-place": props.isSearch === true }}>
        <Dialog.Content class="dialog" classList={{ palette: props.isSearch === true }}>
          <Dialog.Title classList={{ unseen: props.isSearch === true }}>{props.title}</Dialog.Title>
          <Show when={props.says}>
            <Dialog.Description>{props.says}</Dialog.Description>
          </Show>
          {props.children}
        </Dialog.Content>
      </Dialog.Positioner>
    </Portal>
  </Dialog.Root>
)
