import { createSignal } from "solid-js"

// How often it is looked for a service that does not answer, and for one that nobody has asked anything for a while.
const downMillis = 2_000
const idleMillis = 15_000
// Between two tries of what fails although the service answers.
const longestPause = 60_000

/** Since when the service has not answered; null while it does. */
const [downSince, setDownSince] = createSignal<Date | null>(null)

/** How often the service has come back. Parts that have failed try again when it does. */
const [recoveries, setRecoveries] = createSignal(0)

export { downSince, recoveries }

let lastAnswer = Date.now()
let pause = downMillis
let isConfirming = false
let isRetrying = false

const noteAnswer = () => {
  lastAnswer = Date.now()
  if (downSince() === null) return
  setDownSince(null)
  pause = downMillis
  setRecoveries((count) => count + 1)
}

const noteSilence = () => setDownSince((since) => since ?? new Date())

/** Whether an answer comes from what stands before the service, which itself cannot be reached. */
const isOfProxy = ({ status, headers }: Response): boolean =>
  status >= 502 && status <= 504 && !headers.get("content-type")?.startsWith("application/json")

const health = "/health/live"
// The page itself, which every proxy lets through; the service logs each call of it.
const page = "/console"
let probed = health

/** Asks for a sign of life. A proxy may keep the health of the service from strangers: what that answers instead says nothing. */
const probe = async (options: RequestInit): Promise<Response> => {
  const answer = await fetch(probed, options)
  if (probed !== health || answer.ok) return answer
  probed = page
  return fetch(probed, options)
}

/** Whether the service answers, whatever becomes of other calls. */
const isThere = (): Promise<boolean> =>
  probe({ method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(10_000) }).then(
    (answer) => !isOfProxy(answer),
    () => false,
  )

/** Has all that is shown read again after a pause, which grows from time to time. */
const retryLater = () => {
  if (isRetrying) return
  isRetrying = true
  setTimeout(() => {
    isRetrying = false
    setRecoveries((count) => count + 1)
  }, pause)
  pause = Math.min(pause * 2, longestPause)
}

/** One call may fail alone, as of a browser that blocks it: that says nothing of the service. */
const confirmSilence = async () => {
  if (isConfirming || downSince() !== null) return
  isConfirming = true
  if (await isThere()) retryLater()
  else noteSilence()
  isConfirming = false
}

/** `fetch`, which notes whether the service answers. */
export const watchedFetch: typeof fetch = async (...call) => {
  try {
    const answer = await fetch(...call)
    if (isOfProxy(answer)) void confirmSilence()
    else noteAnswer()
    return answer
  } catch (problem) {
    // What the page itself has given up says nothing about the service.
    if (!(problem instanceof DOMException && problem.name === "AbortError")) void confirmSilence()
    throw problem
  }
}

const look = async () => {
  const isDown = downSince() !== null
  if (!isDown && (document.hidden || Date.now() - lastAnswer < idleMillis)) return
  if (await isThere()) noteAnswer()
  else noteSilence()
}

/** Looks for the service from time to time, and often while it is down. Called once. */
export const watchService = (): void => {
  const next = () => void look().finally(() => setTimeout(next, downMillis))
  setTimeout(next, downMillis)
}
