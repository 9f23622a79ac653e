import { type JSX, splitProps } from "solid-js"

type ButtonProps = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, "class" | "onClick"> & {
  readonly kind?: "primary" | "plain" | "danger" | "link"
  /** Something is under way that this button has begun: it cannot be pressed again. */
  readonly busy?: boolean
  readonly onClick?: JSX.EventHandler<HTMLButtonElement, MouseEvent>
}

/** A button. One that does nothing now keeps the focus all the same: who is on it by keyboard does not lose their place. */
export const Button = (props: ButtonProps) => {
  const [own, rest] = splitProps(props, ["kind", "busy", "disabled", "children", "onClick"])
  const isOff = () => own.disabled === true || own.busy === true
  const press: JSX.EventHandler<HTMLButtonElement, MouseEvent> = (event) => {
    // That holds for a form, too, which Enter in a field sends by a click on its button.
    if (isOff()) event.preventDefault()
    else own.onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      class={`button ${own.kind ?? "plain"}`}
      aria-busy={own.busy === true}
      aria-disabled={isOff()}
      onClick={press}
    >
      {own.children}
    </button>
  )
}
