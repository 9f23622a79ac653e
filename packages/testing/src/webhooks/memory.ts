import { type Clock, isUuid } from "@hearth/core"
import {
  type InboxEntry,
  type InboxFilter,
  type InboxOutcome,
  type InboxRow,
  type InboxSummary,
  processTopic,
  type WebhookInbox,
} from "@hearth/core/webhooks"
import { Effect, Option, Struct } from "effect"
import { enter } from "../background/memory-outbox-rows.ts"
import { keep } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import {
  canLockRow,
  columnOf,
  insertRow,
  lockRow,
  lockRows,
  ownerOfKey,
  removeRow,
  replaceRow,
  rowsOf,
} from "../memory/rows.ts"
import { pageOf, select, sliceAfter, sorted } from "../memory/table.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"
import { inboxShape, inboxUserShape, inboxWaitShape } from "./memory-shapes.ts"

const entryBytes = 64

const newestFirst = [
  ["received_at", "desc"],
  ["id", "desc"],
] as const

const usersOf = (draft: Draft, inbox_id: string): ReadonlyArray<string> =>
  select(draft, inboxUserShape, { inbox_id })
    .toSorted((a, b) => a.position - b.position || (a.app_user_id < b.app_user_id ? -1 : 1))
    .map(({ app_user_id }) => app_user_id)

const withUser = (draft: Draft, row: InboxRow): InboxEntry => ({
  ...row,
  app_user_id: usersOf(draft, row.id)[0] ?? null,
})

const summarize = (entry: InboxEntry): InboxSummary =>
  Struct.omit(entry, ["payload", "body_text", "body_key", "event_at"])

const enqueue = (draft: Draft, clock: Clock, inbox_id: string) =>
  enter(draft, clock, { topic: processTopic, payload: { inbox_id }, event_ids: [], bytes: entryBytes })

const takeRow = (draft: Draft, clock: Clock, row: InboxRow): boolean => {
  if (ownerOfKey(draft, inboxShape, ["provider", "provider_event_id"], row) !== undefined) return false
  insertRow(draft, inboxShape, row)
  if (row.status === "received") enqueue(draft, clock, row.id)
  return true
}

const taking = (statements: Statements, clock: Clock): Pick<WebhookInbox, "take" | "takeBody"> => ({
  take: (row) => statements.change((draft) => takeRow(draft, clock, row)),
  takeBody: (row, since) =>
    statements.change((draft) => {
      draft.lock(`webhook body ${row.provider} ${row.body_key}`, "update")
      const same = select(draft, inboxShape, { provider: row.provider, body_key: row.body_key })
      return row.body_key !== null && same.some(({ received_at }) => received_at >= since)
        ? false
        : takeRow(draft, clock, row)
    }),
})

const matching = (draft: Draft, { provider, status, user_id = null }: InboxFilter) => {
  const found = select(draft, inboxShape, {
    ...(provider === null ? {} : { provider }),
    ...(status === null ? {} : { status }),
  })
  return user_id === null ? found : found.filter(({ id }) => usersOf(draft, id).includes(user_id.toLowerCase()))
}

const reading = (
  statements: Statements,
): Pick<WebhookInbox, "find" | "page" | "listAfter" | "usersOf" | "resolve"> => ({
  find: (id) =>
    Effect.map(
      statements.query((draft) => select(draft, inboxShape, { id }).map((row) => withUser(draft, row))[0]),
      Option.fromUndefinedOr,
    ),
  page: (filter, slice) =>
    statements.query((draft) => {
      const { rows, total } = pageOf(sorted(inboxShape, matching(draft, filter), newestFirst), slice)
      return { rows: rows.map((row) => summarize(withUser(draft, row))), total }
    }),
  listAfter: (filter, { at, id }, slice) =>
    statements.query((draft) =>
      sliceAfter(inboxShape, matching(draft, filter), newestFirst, { received_at: at, id }, slice).map((row) =>
        summarize(withUser(draft, row)),
      ),
    ),
  usersOf: (ids) =>
    statements.query((draft) => {
      const found = ids.map((id) => [keep(columnOf(inboxShape, "id"), id) as string, usersOf(draft, id)] as const)
      return new Map(found.filter(([, users]) => users.length > 0))
    }),
  resolve: (ids) =>
    statements.query((draft) => {
      const users = [...rowsOf(draft, userShape).values()]
      const found = ids.flatMap((given) => {
        const text = keep(columnOf(userShape, "display_name"), given) as string
        const user =
          (isUuid(text) ? users.find(({ id }) => id === text.toLowerCase()) : undefined) ??
          users.find(({ external_id }) => external_id === text) ??
          users.find(({ anonymous_id }) => anonymous_id === text)
        return user === undefined ? [] : [[text, user.id] as const]
      })
      return new Map(found)
    }),
})

const linkUsers = (draft: Draft, inbox_id: string, users: ReadonlyArray<string>) => {
  for (const link of select(draft, inboxUserShape, { inbox_id })) {
    if (!users.includes(link.app_user_id)) removeRow(draft, inboxUserShape, link)
  }
  for (const [at, app_user_id] of users.entries()) {
    const link = { id: `${inbox_id}/${app_user_id}`, inbox_id, app_user_id, position: at + 1 }
    const present = rowsOf(draft, inboxUserShape).get(link.id)
    if (present === undefined) insertRow(draft, inboxUserShape, link)
    else replaceRow(draft, inboxUserShape, present, link)
  }
}

const writeWaits = (draft: Draft, inbox_id: string, ids: ReadonlyArray<string>) => {
  for (const wait of select(draft, inboxWaitShape, { inbox_id })) {
    if (!ids.includes(wait.provider_user_id)) removeRow(draft, inboxWaitShape, wait)
  }
  for (const provider_user_id of ids) {
    const wait = { id: `${inbox_id}/${provider_user_id}`, inbox_id, provider_user_id }
    if (rowsOf(draft, inboxWaitShape).get(wait.id) === undefined) insertRow(draft, inboxWaitShape, wait)
  }
}

const writeOutcome = (draft: Draft, id: string, { user_ids, waits_for, ...outcome }: InboxOutcome) => {
  const known = new Set(lockRows(draft, userShape, readUsers(draft, user_ids), "key share").map((user) => user.id))
  const [row] = lockRows(draft, inboxShape, select(draft, inboxShape, { id }))
  if (row === undefined) return
  replaceRow(draft, inboxShape, row, { ...row, ...outcome })
  linkUsers(draft, row.id, [...new Set(user_ids.filter((user) => known.has(user)))])
  writeWaits(draft, row.id, waits_for)
}

const finishing = (statements: Statements, clock: Clock): Pick<WebhookInbox, "finish" | "fail" | "enqueueWaiting"> => ({
  finish: (id, outcome) => statements.change((draft) => writeOutcome(draft, id, outcome)),
  fail: (id, error, at) =>
    statements.change((draft) => {
      const [row] = lockRows(draft, inboxShape, select(draft, inboxShape, { id }))
      if (row === undefined || !["received", "unresolved"].includes(row.status)) return
      replaceRow(draft, inboxShape, row, { ...row, status: "failed", error, processed_at: at })
    }),
  enqueueWaiting: (provider_user_id, after, limit) =>
    statements.change((draft) => {
      const waiting = select(draft, inboxWaitShape, { provider_user_id })
        .map(({ inbox_id }) => inbox_id)
        .filter((id) => rowsOf(draft, inboxShape).get(id)?.status === "unresolved" && (after === null || id > after))
        .toSorted()
        .slice(0, limit)
      for (const id of waiting) enqueue(draft, clock, id)
      return waiting.length < limit ? null : (waiting.at(-1) ?? null)
    }),
})

const isPassing = ({ status, event_type, provider }: InboxRow) =>
  status === "ignored" || event_type === "TEST" || provider === "paywall"

const passing = (draft: Draft) =>
  [...rowsOf(draft, inboxShape).values()]
    .filter(isPassing)
    .toSorted((a, b) => Number(a.received_at) - Number(b.received_at))

/** Removes those that nobody else has locked, up to a limit. */
const removeFree = (draft: Draft, rows: ReadonlyArray<InboxRow>, limit?: number) => {
  const free = rows.filter(({ id }) => canLockRow(draft, inboxShape, id, "update")).slice(0, limit)
  for (const row of free) removeRow(draft, inboxShape, row)
  return free.length
}

const removing = (
  statements: Statements,
): Pick<WebhookInbox, "keepNewestWithoutId" | "removeOld" | "oldestPassing" | "forgetUser" | "forgetWaiting"> => ({
  keepNewestWithoutId: (provider, count) =>
    statements.change((draft) => {
      removeFree(
        draft,
        sorted(inboxShape, select(draft, inboxShape, { provider, provider_event_id: null }), newestFirst).slice(count),
      )
    }),
  removeOld: (before, limit) =>
    statements.change((draft) =>
      removeFree(
        draft,
        passing(draft).filter(({ received_at }) => received_at < before),
        limit,
      ),
    ),
  oldestPassing: () => statements.query((draft) => passing(draft)[0]?.received_at ?? null),
  forgetUser: Effect.fnUntraced(function* (app_user_id, limit) {
    const ids = yield* statements.query((draft) => {
      const found = select(draft, inboxUserShape, { app_user_id }).map(({ inbox_id }) => inbox_id)
      const locked = found.toSorted().slice(0, limit)
      for (const id of locked) lockRow(draft, inboxShape, id, "update")
      return locked
    })
    yield* statements.change((draft) => {
      for (const id of ids) {
        const row = rowsOf(draft, inboxShape).get(id)
        if (row === undefined) continue
        const links = select(draft, inboxUserShape, { inbox_id: id })
        if (links.every((link) => link.app_user_id === app_user_id)) removeRow(draft, inboxShape, row)
        else for (const link of links) if (link.app_user_id === app_user_id) removeRow(draft, inboxUserShape, link)
      }
    })
    return ids.length === limit
  }),
  forgetWaiting: (providerIds, limit) =>
    statements.change((draft) => {
      const waiting = new Set(
        providerIds.flatMap((provider_user_id) =>
          select(draft, inboxWaitShape, { provider_user_id }).map(({ inbox_id }) => inbox_id),
        ),
      )
      const concernsNobody = (id: string) =>
        !usersOf(draft, id).some((user) => rowsOf(draft, userShape).get(user) !== undefined)
      const found = [...waiting]
        .toSorted()
        .flatMap((id) => rowsOf(draft, inboxShape).get(id) ?? [])
        .filter(({ id }) => concernsNobody(id))
        .slice(0, limit)
      for (const row of lockRows(draft, inboxShape, found)) removeRow(draft, inboxShape, row)
      return found.length === limit
    }),
})

/** The webhooks of a project. */
export const memoryInbox = (statements: Statements, clock: Clock): WebhookInbox => ({
  ...taking(statements, clock),
  ...reading(statements),
  ...finishing(statements, clock),
  ...removing(statements),
})
