import { onCleanup } from "solid-js"

// A dialog that closes gives the focus back a moment later, where it still can.
const waitMillis = 100

const isLost = () => document.activeElement === null || document.activeElement === document.body

/** Gives the focus to the first of these that is still there, unless something else has it by then. */
const giveBack = (places: ReadonlyArray<HTMLElement>) =>
  setTimeout(() => {
    if (isLost()) places.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true })
  }, waitMillis)

/** Who has lost their place goes on with the page. */
export const keepFocusOnPage = () => {
  const page = document.getElementById("page")
  if (page !== null) giveBack([page])
}

/**
 * Whose row or page goes with what they have done goes on with what was around it: the list, else the page. `enter` notes
 * where somebody is, `leave` is called when they are done.
 */
export const createReturn = () => {
  let places: ReadonlyArray<HTMLElement> = []
  const enter = (from: HTMLElement) => {
    const around: Array<HTMLElement> = []
    for (let at = from.parentElement; at !== null; at = at.parentElement)
      if (at.hasAttribute("tabindex")) around.push(at)
    places = around
  }
  const leave = () => {
    if (places.length > 0) giveBack(places)
    places = []
  }
  onCleanup(leave)
  return { enter, leave }
}
