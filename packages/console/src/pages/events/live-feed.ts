import { type HearthError, listenToProject, type StreamEvent } from "@hearth/client"
import { batch, createEffect, createSignal, on, onCleanup } from "solid-js"
import { api, hasEnded } from "../../api.ts"
import { addCounts, addRows, addUp, type Batch, batchRows, type Counts, noCounts, type Row } from "./rows.ts"

/** What of a project is listened to. */
export interface LiveFilter {
  readonly projectId: string
  readonly event_name?: string
  readonly user_id?: string
}

/** `over`: the service has refused it. */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "over"

const mostNames = 200
// A window that nobody looks at does not keep one of the few connections that a browser has.
const hiddenMillis = 60_000
// Somebody waits for the service to be back.
const longestPause = 5_000
// Who wants less motion sees what is new once a second.
const calmMillis = 1_000

const calm = matchMedia("(prefers-reduced-motion: reduce)")

/** Whether the window has been out of sight for a while. */
const createIsAway = () => {
  const [isAway, setIsAway] = createSignal(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(() => setIsAway(true), hiddenMillis)
    else setIsAway(false)
  }
  document.addEventListener("visibilitychange", look)
  onCleanup(() => {
    clearTimeout(timer)
    document.removeEventListener("visibilitychange", look)
  })
  return isAway
}

/** Calls `show` at the next frame, once however often it is asked to. */
const createFrames = (show: () => void) => {
  let cancel: (() => void) | null = null
  const run = () => {
    cancel = null
    show()
  }
  onCleanup(() => cancel?.())
  return () => {
    if (cancel !== null) return
    if (calm.matches) {
      const timer = setTimeout(run, calmMillis)
      cancel = () => clearTimeout(timer)
    } else {
      const frame = requestAnimationFrame(run)
      cancel = () => cancelAnimationFrame(frame)
    }
  }
}

/** What has come and is not shown yet. */
const nothingNew = { rows: [] as ReadonlyArray<Row>, counts: noCounts, left: 0 }

/**
 * What happens in a project, as it happens: the newest lines and how many there were. `onGap` is told where something may be missing
 * in it, so that the stored events have to be read again. However much comes, a bounded part of it is kept.
 */
export const createLiveFeed = (filter: () => LiveFilter, onGap: () => void) => {
  const [rows, setRows] = createSignal<ReadonlyArray<Row>>([])
  const [state, setState] = createSignal<ConnectionState>("connecting")
  const [error, setError] = createSignal<unknown>(null)
  const [perSecond, setPerSecond] = createSignal<Counts>(noCounts)
  const [total, setTotal] = createSignal<Counts>(noCounts)
  const [leftOut, setLeftOut] = createSignal(0)
  const [names, setNames] = createSignal<ReadonlyArray<string>>([])
  const [isPaused, setIsPaused] = createSignal(false)
  const [waiting, setWaiting] = createSignal(0)
  const isAway = createIsAway()

  let fresh = nothingNew
  let rate = noCounts
  const show = () =>
    batch(() => {
      setPerSecond(rate)
      if (isPaused()) {
        setWaiting(addUp(fresh.counts))
        return
      }
      if (fresh === nothingNew) return
      const { rows: added, counts, left } = fresh
      fresh = nothingNew
      setRows((before) => addRows(added, before))
      setTotal((before) => addCounts(before, counts))
      setLeftOut((before) => before + left)
      setWaiting(0)
    })
  const showSoon = createFrames(show)

  const takeBatch = (found: Batch) => {
    fresh = {
      rows: addRows(batchRows(found), fresh.rows),
      counts: addCounts(fresh.counts, found.counts),
      left: fresh.left + addUp(found.left_out),
    }
    const added = found.names.map(({ event_name }) => event_name).filter((name) => !names().includes(name))
    if (added.length > 0) setNames((before) => [...added, ...before].slice(0, mostNames))
  }
  const take = ({ type, data }: StreamEvent) => {
    if (type === "batch") takeBatch(data)
    else if (type === "counters") rate = data
    else if (type === "reset") onGap()
    showSoon()
  }

  const listen = ({ projectId, ...asked }: LiveFilter) => {
    let isFirst = true
    setState("connecting")
    setError(null)
    const onConnection = (isConnected: boolean, reason?: HearthError) => {
      setState(isConnected ? "live" : "reconnecting")
      setError(reason !== undefined && reason.status > 0 ? reason : null)
      rate = noCounts
      showSoon()
      // What was stored before this moment and after the list was read is in neither.
      if (isConnected && isFirst) onGap()
      if (isConnected) isFirst = false
    }
    const onRefused = (reason: HearthError) => {
      setState("over")
      setError(reason)
    }
    const told = { onEvent: take, onConnection, onRefused, longestPause }
    onCleanup(listenToProject({ api }, { projectId, ...asked, ...told }))
  }

  createEffect(
    on(filter, () => {
      fresh = nothingNew
      rate = noCounts
      batch(() => {
        setRows([])
        setTotal(noCounts)
        setLeftOut(0)
        setPerSecond(noCounts)
        setWaiting(0)
      })
    }),
  )
  createEffect(() => {
    const asked = filter()
    if (hasEnded() || isAway()) setState("reconnecting")
    else listen(asked)
  })

  return {
    rows,
    state,
    /** Why it does not go on, where the service has said so. */
    error,
    perSecond,
    /** How many have come since the page was opened, without those that came during a pause. */
    total,
    /** How many of them were too many to be shown. */
    leftOut,
    /** The names of events that have come. */
    names,
    isPaused,
    /** How many have come since the pause began. */
    waiting,
    pause: () => setIsPaused(true),
    resume: () => {
      setIsPaused(false)
      show()
    },
  }
}

/** What happens in a project, as it happens. */
export type LiveFeed = ReturnType<typeof createLiveFeed>
