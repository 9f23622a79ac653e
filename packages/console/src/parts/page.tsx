import { useLocation } from "@solidjs/router"
import type { JSX, ParentProps } from "solid-js"
import { createArrival } from "./arrival.ts"

/** A page with its heading; the heading is the title of the window, too. */
export const Page = (props: ParentProps<{ readonly title: string; readonly actions?: JSX.Element }>) => {
  const location = useLocation()
  let heading: HTMLHeadingElement | undefined
  createArrival({ place: () => location.pathname, title: () => props.title, target: () => heading })
  return (
    <section class="page">
      <header class="row">
        <h1 ref={heading} tabindex="-1">
          {props.title}
        </h1>
        <div class="row end">{props.actions}</div>
      </header>
      {props.children}
    </section>
  )
}
