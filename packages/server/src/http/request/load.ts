import type { ServerResponse } from "node:http"
import type { ServerRequest } from "./request.ts"

const leaving = new WeakMap<object, () => void>()

/** Notes how an answer stops to count as one that the process works on. Answers the same, to be called when it is done. */
export const countLoad = (response: ServerResponse, leave: () => void): (() => void) => {
  const leaveOnce = () => {
    if (leaving.delete(response)) leave()
  }
  leaving.set(response, leaveOnce)
  return leaveOnce
}

/** Says that the answer of a request is not worked on any more, though it has not ended: it waits for what is to come. */
export const leaveLoad = (request: ServerRequest): void => {
  const response = request.runtime?.node?.res
  if (response !== undefined) leaving.get(response)?.()
}
