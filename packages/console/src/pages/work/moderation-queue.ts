import type { HearthError } from "@hearth/client"
import { batch, createSignal, onCleanup } from "solid-js"
import { createStore } from "solid-js/store"
import { api, fetchAs, isMissing, type Schemas } from "../../api.ts"

/** What a moderator can do to an item. */
export type Decision = "approve" | "reject" | "escalate"

type QueueItem = Schemas["ModerationQueueItem"]
type QueueStatus = QueueItem["status"]

/** Which items are shown. */
export interface QueueView {
  readonly projectId: string
  readonly status: QueueStatus
  readonly type: QueueItem["content_type"] | null
}

/**
 * An item, and what became of it here: `waiting` is decided and not sent yet, `gone` was decided by somebody else, `failed` is
 * open again, because the service did not take the decision.
 */
export interface QueueEntry {
  readonly item: QueueItem
  readonly state: "open" | "waiting" | "sending" | "done" | "gone" | "failed"
  readonly decision: Decision | null
  readonly note: string
  readonly error: unknown
}

/** For how long a decision can be taken back. */
export const undoMillis = 5_000
// How often it is looked what others have decided.
const lookMillis = 10_000
const pageSize = 50
// With so few items left to decide the next page is read.
const aheadCount = 15
const longestPage = 1_000
// So many of those that are decided stay in sight.
const keptCount = 100

const untouched: Omit<QueueEntry, "item"> = { state: "open", decision: null, note: "", error: null }

const isSettled = ({ state }: QueueEntry): boolean => state === "done" || state === "gone"

const becomes = { approve: "approved", reject: "rejected", escalate: "escalated" } as const

/** What an item is called after each decision. */
export const statusAfter = (decision: Decision): QueueStatus => becomes[decision]

/** The queue while a moderator works through it. Nothing is sent before it can no longer be taken back. */
export const makeQueue = ({ projectId, status, type }: QueueView) => {
  const [entries, setEntries] = createStore<Array<QueueEntry>>([])
  const [currentId, setCurrentId] = createSignal<string | null>(null)
  const [total, setTotal] = createSignal<number | null>(null)
  const [error, setError] = createSignal<unknown>(null)
  const [isComplete, setIsComplete] = createSignal(false)
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let isReading = false
  // Where the list is read on; null at its end.
  let next: string | null = "start"

  const find = (id: string) => entries.find(({ item }) => item.id === id)
  const change = (id: string, changes: Partial<QueueEntry>) => setEntries(({ item }) => item.id === id, changes)
  const canDecide = ({ state, item }: QueueEntry) =>
    (state === "open" || state === "failed") && (item.status === "pending" || item.status === "escalated")
  // What the service lists of what we know: everything that was not decided, or not yet told.
  const listed = () => entries.filter((entry) => !isSettled(entry))

  const read = (query: { readonly limit: number; readonly cursor?: string }) =>
    api.GET("/admin/projects/{projectId}/moderation/queue", {
      params: { path: { projectId }, query: { status, ...query, ...(type === null ? {} : { content_type: type }) } },
    })

  /** Adds the items that are new, at the end, so that nothing moves away from under the reader. */
  const add = (items: ReadonlyArray<QueueItem>) => {
    const known = new Set(entries.map(({ item }) => item.id))
    const fresh = items.filter(({ id }) => !known.has(id)).map((item) => ({ item, ...untouched }))
    const settled = entries.filter((entry) => isSettled(entry) && entry.item.id !== currentId())
    const dropped = new Set(settled.slice(0, Math.max(0, settled.length - keptCount)))
    if (fresh.length > 0) setEntries([...entries.filter((entry) => !dropped.has(entry)), ...fresh])
    if (currentId() === null) setCurrentId(entries.find(canDecide)?.item.id ?? entries[0]?.item.id ?? null)
    return fresh.length
  }

  /** Reads the next page. At the end of the list it is its beginning, where new items are. Answers how many were not known. */
  const readPage = async (): Promise<number> => {
    const isBeginning = next === null || next === "start"
    const page = await read({ limit: pageSize, cursor: next ?? "start" })
    // The total of a further page is that of the first.
    if (isBeginning) setTotal(page.total)
    if (next !== null) next = page.next_cursor ?? null
    return add(page.data)
  }

  /** Reads what comes next, before the list ends. */
  const readAhead = async (): Promise<void> => {
    if (isReading || isComplete()) return
    const at = entries.findIndex(({ item }) => item.id === currentId())
    if (entries.slice(Math.max(at, 0)).filter(canDecide).length > aheadCount) return
    isReading = true
    try {
      let [added, isWhole] = [0, false]
      while (added === 0 && !isWhole) {
        const isBeginning = next === null || next === "start"
        added = await readPage()
        isWhole = isBeginning && next === null
      }
      if (added === 0) setIsComplete(true)
      setError(null)
    } catch (problem) {
      setError(problem)
    } finally {
      isReading = false
    }
  }

  /** Takes note of what others have decided meanwhile, and of what has come. */
  const look = async () => {
    if (isReading || document.hidden || entries.length === 0) return
    isReading = true
    try {
      const asked = new Set(listed().map(({ item }) => item.id))
      const page = await read({ limit: Math.min(asked.size + pageSize, longestPage) })
      const there = new Set(page.data.map(({ id }) => id))
      const last = page.data.length < page.total ? page.data.at(-1)?.created_at : ""
      batch(() => {
        for (const { item, state } of listed()) {
          const isSeen = last !== undefined && item.created_at > last && asked.has(item.id)
          if (isSeen && !there.has(item.id) && state !== "sending") lose(item.id, "Somebody else has decided this one.")
        }
        setTotal(page.total)
        setIsComplete(false)
        add(page.data)
      })
    } catch {
      // It is looked again soon; what a moderator does meanwhile says for itself whether it works.
    } finally {
      isReading = false
    }
  }

  const forget = (id: string) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }

  const lose = (id: string, note: string) => {
    forget(id)
    change(id, { state: "gone", note, decision: null })
    if (currentId() === id) moveOn()
  }

  const isOpenList = status === "pending" || status === "escalated"

  /** Goes to the next item that can be decided, over those that are. Answers whether there is one. */
  const step = (by: 1 | -1): boolean => {
    const from = entries.findIndex(({ item }) => item.id === currentId())
    const way = by === 1 ? entries.slice(from + 1) : entries.slice(0, from).reverse()
    const next = way.find((entry) => !isOpenList || canDecide(entry))
    if (next !== undefined) setCurrentId(next.item.id)
    void readAhead()
    return next !== undefined
  }
  const moveOn = () => void (step(1) || step(-1))

  const answered = (id: string, decision: Decision, answer: QueueItem) => {
    if (answer.status === becomes[decision]) {
      change(id, { item: answer, state: "done", note: "" })
      setTotal((before) => (before === null ? null : Math.max(0, before - 1)))
    } else lose(id, `Somebody else has already ${answer.status} it.`)
  }

  const send = async (id: string) => {
    const decision = find(id)?.decision
    forget(id)
    if (decision === null || decision === undefined) return
    change(id, { state: "sending" })
    try {
      const params = { path: { projectId, itemId: id } }
      const { data } = await (decision === "approve"
        ? api.POST("/admin/projects/{projectId}/moderation/queue/{itemId}/approve", { params })
        : decision === "reject"
          ? api.POST("/admin/projects/{projectId}/moderation/queue/{itemId}/reject", { params })
          : api.POST("/admin/projects/{projectId}/moderation/queue/{itemId}/escalate", { params }))
      answered(id, decision, data)
    } catch (problem) {
      if (isMissing(problem as HearthError)) lose(id, "It is not in the queue any more.")
      else change(id, { state: "failed", error: problem, decision: null })
    }
  }

  /** Sends at once what waits. A page that is about to close has it sent by the browser. */
  const flush = (isClosing = false) => {
    for (const { item, decision } of entries.filter(({ state }) => state === "waiting")) {
      if (!isClosing) {
        void send(item.id)
        continue
      }
      forget(item.id)
      change(item.id, { state: "sending" })
      const path = `/v1/admin/projects/${projectId}/moderation/queue/${item.id}/${decision}`
      void fetchAs(new Request(path, { method: "POST", keepalive: true })).catch(() => {})
    }
  }

  const decide = (decision: Decision, id = currentId()) => {
    const entry = id === null ? undefined : find(id)
    if (id === null || entry === undefined || !canDecide(entry)) return
    if (decision === "escalate" && entry.item.status === "escalated") return
    batch(() => {
      change(id, { state: "waiting", decision, error: null, note: "" })
      timers.set(
        id,
        setTimeout(() => void send(id), undoMillis),
      )
      if (currentId() === id) moveOn()
    })
  }

  /** Takes back the last decision that was not sent. Answers whether there was one. */
  const undo = (): boolean => {
    const id = [...timers.keys()].at(-1)
    if (id === undefined) return false
    forget(id)
    batch(() => {
      change(id, { state: "open", decision: null })
      setCurrentId(id)
    })
    return true
  }

  const looking = setInterval(() => void look(), lookMillis)
  const close = () => flush(true)
  const hide = () => {
    if (document.hidden) flush()
    else void look()
  }
  addEventListener("pagehide", close)
  document.addEventListener("visibilitychange", hide)
  onCleanup(() => {
    clearInterval(looking)
    removeEventListener("pagehide", close)
    document.removeEventListener("visibilitychange", hide)
    flush()
  })
  void readAhead()

  return {
    entries,
    currentId,
    select: (id: string) => {
      setCurrentId(id)
      void readAhead()
    },
    total,
    error,
    isComplete,
    canDecide,
    waiting: () => entries.filter(({ state }) => state === "waiting").length,
    step,
    decide,
    undo,
    look,
    retry: () => {
      setError(null)
      void readAhead()
    },
  }
}

export type Queue = ReturnType<typeof makeQueue>
