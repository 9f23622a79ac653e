import { type JSX, splitProps } from "solid-js"

type ButtonProps = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, "class"> & {
  readonly kind?: "primary" | "plain" | "danger" | "link"
  /** Something is under way that this button has begun: it cannot be pressed again. */
  readonly busy?: boolean
}

export const Button = (props: ButtonProps) => {
  const [own, rest] = splitProps(props, ["kind", "busy", "disabled", "children"])
  return (
    <button
      type="button"
      {...rest}
      class={`button ${own.kind ?? "plain"}`}
      aria-busy={own.busy === true}
      disabled={own.disabled === true || own.busy === true}
    >
      {own.children}
    </button>
  )
}
