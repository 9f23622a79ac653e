import type { ServerResponse } from "node:http"

const leaving = new WeakMap<object, () => void>()

/** Notes how an answer stops to count as one that the process works on. Answers the same, to be called when it is done. */
export const countLoad = (response: ServerResponse, leave: () => void): (() => void) => {
  const leaveOnce = () => {
    if (leaving.delete(response)) leave()
  }
  leaving.set(response, leaveOnce)
  return leaveOnce
}

/** Says that an answer is not worked on any more, though it has not ended: it waits for what is to come. */
export const leaveLoad = (response: object | undefined): void => {
  if (response !== undefined) leaving.get(response)?.()
}
