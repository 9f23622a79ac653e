import { createEffect, createSignal, on, onCleanup } from "solid-js"

/** What is said to those who hear the console, where the focus does not say it. */
const [said, setSaid] = createSignal("")

export { said }

// After that the focus has settled: a dialog that closes gives it back.
const settleMillis = 200

// Which page has been arrived at last. None of them is where one is who has just loaded the console.
let lastPlace: string | undefined

// Who is in a dialog, such as the search that was asked for meanwhile, stays there.
const isInDialog = () =>
  document.activeElement?.closest(":is([role=dialog], [role=alertdialog])[data-state=open]") != null

interface Arrival {
  /** Which page it is: another one has another place. */
  readonly place: () => string
  readonly title: () => string
  /** What gets the focus. */
  readonly target: () => HTMLElement | undefined
  /** Whether the first page that is shown gets the focus, too. */
  readonly isForm?: boolean
}

/** Whoever comes to another page goes on with its heading, and hears its title; the window has it, too. */
export const createArrival = ({ place, title, target, isForm = false }: Arrival): void => {
  let heard = ""
  createEffect(
    on([place, title], ([to, name]) => {
      document.title = `${name} · Hearth`
      const isNew = lastPlace === undefined ? isForm : lastPlace !== to
      lastPlace = to
      if (isNew) {
        if (!isInDialog()) target()?.focus({ preventScroll: true })
        heard = isForm ? "" : name
        setSaid("")
      }
      // A name that is known later, or where something else has the focus by then, is said.
      const timer = setTimeout(() => {
        if (heard !== name || document.activeElement !== target()) setSaid(name)
      }, settleMillis)
      onCleanup(() => clearTimeout(timer))
    }),
  )
}
