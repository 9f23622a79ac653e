import { onCleanup } from "solid-js"

// A dialog that closes gives the focus back a moment later, where it still can.
const waitMillis = 100

const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]"

const isLost = () => document.activeElement === null || document.activeElement === document.body

const listControls = (within: Element | null | undefined): ReadonlyArray<HTMLElement> =>
  [...(within?.querySelectorAll<HTMLElement>(controls) ?? [])].filter((each) => each.checkVisibility())

/** What surrounds an element, from the inside out, and the place of the element in it. */
const notePlaces = (from: Element): ReadonlyArray<{ readonly around: HTMLElement; readonly at: number }> => {
  const around = from.parentElement
  if (around === null || from.id === "page") return []
  return [{ around, at: [...around.children].indexOf(from) }, ...notePlaces(around)]
}

/** What a person goes on with who was at an element: that, what has come to its place, or what is around it. */
const noteNear = (from: HTMLElement) => {
  const places = notePlaces(from)
  return (): HTMLElement | undefined => {
    if (from.isConnected) return from
    for (const { around, at } of places.filter((place) => place.around.isConnected)) {
      const next = around.children[Math.min(at, around.children.length - 1)]
      if (next instanceof HTMLElement && next.matches(controls)) return next
      // A row that was written has become another one, and the next one can be done the same to.
      const within = listControls(next)
      const found = within.find(({ textContent }) => textContent === from.textContent) ?? within[0]
      if (found !== undefined) return found
      if (around.matches(controls)) return around
    }
    return document.querySelector("h1") ?? undefined
  }
}

/** Once a change is in the page, the focus goes to the first control of what is found then. */
export const focusControl = (find: () => Element | null | undefined): void =>
  queueMicrotask(() => {
    const found = find()
    const control = found instanceof HTMLElement && found.matches(controls) ? found : listControls(found)[0]
    control?.focus()
  })

/**
 * Whose row or page goes with what they have done goes on with what is there now: the next row, else what was around it. `enter`
 * notes where somebody is, `leave` is called when they are done.
 */
export const createReturn = () => {
  let from: HTMLElement | undefined
  let find: () => HTMLElement | undefined = () => undefined
  let isDue = false
  const giveBack = () => {
    const found = find
    setTimeout(() => {
      if (isLost()) found()?.focus({ preventScroll: true })
    }, waitMillis)
  }
  const leave = () => {
    isDue = false
    giveBack()
  }
  // A row may go a moment after what was done to it.
  onCleanup(() => {
    if (isDue || from === document.activeElement) leave()
  })
  return {
    enter: (at: HTMLElement) => {
      from = at
      find = noteNear(at)
      isDue = true
    },
    leave,
  }
}
