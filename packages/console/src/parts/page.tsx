import { createEffect, type JSX, type ParentProps } from "solid-js"

/** A page with its heading; the heading is the title of the window, too. */
export const Page = (props: ParentProps<{ readonly title: string; readonly actions?: JSX.Element }>) => {
  createEffect(() => {
    document.title = `${props.title} · Hearth`
  })
  return (
    <section class="page">
      <header class="row">
        <h1>{props.title}</h1>
        <div class="row end">{props.actions}</div>
      </header>
      {props.children}
    </section>
  )
}
