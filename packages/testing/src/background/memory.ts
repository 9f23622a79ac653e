import type { Clock } from "@hearth/core"
import type { Outbox, OutboxHead, OutboxLimits } from "@hearth/core/background"
import type { EngagementEvent } from "@hearth/core/events"
import { listEvents } from "../events/memory.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import type { OutboxRow } from "./memory-outbox-rows.ts"
import { enter, eventsTopic, outboxShape } from "./memory-outbox-rows.ts"

// Numbers are given before the commit: they are the order, not when an entry appeared.
const oldestFirst = (draft: Draft): ReadonlyArray<OutboxRow> =>
  [...rowsOf(draft, outboxShape).values()].toSorted((a, b) => Number(a.id) - Number(b.id))

/** The entries from the oldest on that fit into the limits; one in any case. */
const fitting = (entries: ReadonlyArray<OutboxRow>, { events, bytes }: OutboxLimits): ReadonlyArray<OutboxRow> => {
  const taken: Array<OutboxRow> = []
  let [count, size] = [0, 0]
  for (const entry of entries) {
    size += entry.bytes
    if (taken.length > 0 && (count >= events || size > bytes || entry.topic !== eventsTopic)) break
    taken.push(entry)
    count += entry.event_ids.length
  }
  return taken
}

const plain = (event: EngagementEvent, properties: boolean) => (properties ? event : { ...event, properties: {} })

const takeHead = (draft: Draft, limits: OutboxLimits): OutboxHead | null => {
  const served = oldestFirst(draft).filter(({ topic }) => topic === eventsTopic || limits.topics.includes(topic))
  const [first] = served
  if (first === undefined) return null
  if (first.topic !== eventsTopic) {
    const { id, topic, payload, created_at } = first
    return { kind: "entry", entry: { id, topic, payload: payload ?? {}, created_at } }
  }
  const taken: Array<{ readonly entry_id: string; readonly count: number }> = []
  const ids: Array<string> = []
  for (const { id, event_ids } of fitting(served, limits)) {
    const part = event_ids.slice(0, Math.max(1, limits.events) - ids.length)
    if (part.length === 0) break
    taken.push({ entry_id: id, count: part.length })
    ids.push(...part)
  }
  const events = listEvents(draft, ids).map((event) => plain(event, limits.properties))
  return { kind: "events", events, taken, created_at: first.created_at }
}

const removeHead = (draft: Draft, head: OutboxHead) => {
  const taken = head.kind === "events" ? head.taken : [{ entry_id: head.entry.id, count: 0 }]
  for (const { entry_id, count } of taken) {
    const entry = rowsOf(draft, outboxShape).get(entry_id)
    if (entry === undefined) continue
    if (entry.event_ids.length <= count) removeRow(draft, outboxShape, entry)
    else replaceRow(draft, outboxShape, entry, { ...entry, event_ids: entry.event_ids.slice(count) })
  }
}

const holdKey = "the hold of the project"

/** The outbox of a project. */
export const memoryOutbox = (statements: Statements, clock: Clock): Outbox => ({
  hold: () => statements.query((draft) => draft.lock(holdKey, "update")),
  tryHold: () =>
    statements.query((draft) => {
      const isFree = draft.canLock(holdKey, "update")
      if (isFree) draft.lock(holdKey, "update")
      return isFree
    }),
  next: (limits) => statements.query((draft) => takeHead(draft, limits)),
  remove: (head) => statements.change((draft) => removeHead(draft, head)),
  hasEventsOf: (userId, except) =>
    statements.query((draft) => {
      const ids = oldestFirst(draft).flatMap(({ event_ids }) => event_ids)
      const events = listEvents(draft, ids.slice(0, 1_000))
      return events.some(({ app_user_id, event_name }) => app_user_id === userId && !except.includes(event_name))
    }),
  add: (topic, payload) =>
    statements.change((draft) => {
      enter(draft, clock, { topic, payload, event_ids: [], bytes: JSON.stringify(payload).length })
    }),
  replace: (topic, payload, same) =>
    statements.change((draft) => {
      for (const entry of [...rowsOf(draft, outboxShape).values()]) {
        const isSame = same.every((key) => entry.payload?.[key] === payload[key])
        if (entry.topic === topic && isSame) removeRow(draft, outboxShape, entry)
      }
      enter(draft, clock, { topic, payload, event_ids: [], bytes: JSON.stringify(payload).length })
    }),
  look: (topics) =>
    statements.query((draft) => {
      const entries = [...rowsOf(draft, outboxShape).values()]
      if (entries.some(({ topic }) => topic === eventsTopic || topics.includes(topic))) return "served"
      return entries.length === 0 ? "nothing" : "others"
    }),
  waiting: () =>
    statements.query((draft) => {
      const entries = oldestFirst(draft)
      return { entries: entries.length, oldest: entries[0]?.created_at ?? null }
    }),
})
