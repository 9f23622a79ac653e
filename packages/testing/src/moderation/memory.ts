import { Uuid } from "@hearth/core"
import {
  type ContentKey,
  type ListedTrustLevel,
  type ModerationDb,
  ModerationRuleRow,
  type ModerationRules,
  type QueueFilter,
  type QueueItem,
  QueueItemRow,
  ReportRow,
  TrustLevel,
  type TrustLevels,
} from "@hearth/core/moderation"
import { Effect, Option, Schema } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { canLockRow, insertRow, lockRows, ownerOfKey, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sliceAfter, sorted } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"

const ruleShape = describeTable("moderation rules", ModerationRuleRow)
const queueShape = describeTable("moderation queue", QueueItemRow, {
  unique: [["content_type", "content_id", "is_open"]],
})
const reportKey = ["item_id", "app_user_id", "text_digest"] as const
const reportShape = describeTable("moderation reports", ReportRow, {
  unique: [reportKey],
  parents: { item_id: "moderation queue", app_user_id: "users" },
})
const trustShape = describeTable("trust levels", Schema.Struct({ id: Uuid, ...TrustLevel.fields }), {
  unique: [["app_user_id"]],
  parents: { app_user_id: "users" },
})

/** The tables of moderation. */
export const moderationShapes = [ruleShape, queueShape, reportShape, trustShape]

/** Those of them that the file about a user is read from. */
export const moderationSections = { moderation_reports: reportShape, trust_levels: trustShape }

const byAge = [
  ["created_at", "asc"],
  ["id", "asc"],
] as const
const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

const memoryRules = (statements: Statements): ModerationRules => {
  const active = (draft: Draft) => sorted(ruleShape, select(draft, ruleShape, { is_active: true }), byAge)
  return {
    ...memoryTable(statements, ruleShape),
    lockChanges: () => statements.change((draft) => draft.lock("changes of moderation rules", "update")),
    active: () => statements.query(active),
    activeVersion: () =>
      statements.query((draft) =>
        active(draft)
          .map(({ id, revision }) => `${id}.${revision}`)
          .join(" "),
      ),
    count: () => statements.query((draft) => select(draft, ruleShape, {}).length),
  }
}

const matching = (draft: Draft, { status, content_type, app_user_id }: QueueFilter) =>
  select(draft, queueShape, {
    status,
    ...(content_type === null ? {} : { content_type }),
    ...(app_user_id === null ? {} : { app_user_id }),
  })

const show = (draft: Draft, { text_digest: _, is_open: __, ...item }: QueueItemRow, of: string | null): QueueItem => {
  const reports = sorted(reportShape, select(draft, reportShape, { item_id: item.id }), newestFirst)
  const isThere = (shape: typeof userShape | typeof ruleShape, id: string | null) =>
    id !== null && rowsOf(draft, shape as typeof ruleShape).get(id) !== undefined
  return {
    ...item,
    app_user_id: isThere(userShape, item.app_user_id) ? item.app_user_id : null,
    rule_id: isThere(ruleShape, item.rule_id) ? item.rule_id : null,
    report_count: reports.length,
    report_reasons: reports
      .filter(({ app_user_id }) => of === null || app_user_id === of)
      .slice(0, 20)
      .map(({ reason }) => reason),
  }
}

const openItem = (draft: Draft, { content_type, content_id }: ContentKey) =>
  select(draft, queueShape, { content_type, content_id, is_open: true })

const lastResolved = (draft: Draft, { content_type, content_id }: ContentKey) =>
  sorted(queueShape, select(draft, queueShape, { content_type, content_id, is_open: null }), [
    ["resolved_at", "desc"],
    ["id", "desc"],
  ])[0]

const memoryQueue = (statements: Statements): ModerationDb["moderationQueue"] => ({
  ...memoryTable(statements, queueShape),
  add: ({ rule_id, excerpt, ...item }) =>
    statements.change((draft) => {
      const [trust] = select(draft, trustShape, { app_user_id: item.app_user_id })
      if (trust?.auto_approve) return false
      const [present] = lockRows(draft, queueShape, openItem(draft, item))
      if (present !== undefined)
        return replaceRow(draft, queueShape, present, { ...present, rule_id, excerpt }) !== null
      const blank = { moderator_id: null, resolved_at: null, text_digest: null }
      const row: QueueItemRow = { ...item, ...blank, rule_id, excerpt, status: "pending", is_open: true }
      return insertRow(draft, queueShape, row) !== null
    }),
  lockOpen: (content) =>
    Effect.map(
      statements.query((draft) => lockRows(draft, queueShape, openItem(draft, content))[0]),
      Option.fromUndefinedOr,
    ),
  findResolved: (content) =>
    Effect.map(
      statements.query((draft) => lastResolved(draft, content)),
      Option.fromUndefinedOr,
    ),
  forgetText: (content) =>
    statements.change((draft) => {
      const item = lastResolved(draft, content)
      if (item === undefined || item.text_digest === null) return
      replaceRow(draft, queueShape, item, { ...item, text_digest: null })
    }),
  clearExcerpts: (content_type, content_ids) =>
    statements.change((draft) => {
      const ids = new Set(content_ids)
      for (const item of select(draft, queueShape, { content_type }))
        if (ids.has(item.content_id)) replaceRow(draft, queueShape, item, { ...item, excerpt: "" })
    }),
  show: (id, of) =>
    Effect.map(
      statements.query((draft) => {
        const item = rowsOf(draft, queueShape).get(id)
        return item === undefined ? undefined : show(draft, item, of)
      }),
      Option.fromUndefinedOr,
    ),
  pageShown: (filter, slice) =>
    statements.query((draft) => {
      const { rows, total } = pageOf(sorted(queueShape, matching(draft, filter), newestFirst), slice)
      return { rows: rows.map((item) => show(draft, item, null)), total }
    }),
  listShownAfter: (filter, { at, id }, slice) =>
    statements.query((draft) =>
      sliceAfter(queueShape, matching(draft, filter), newestFirst, { created_at: at, id }, slice).map((item) =>
        show(draft, item, null),
      ),
    ),
  removeResolved: (before, limit) =>
    statements.change((draft) => {
      const old = select(draft, queueShape, {}).filter(
        ({ resolved_at }) => resolved_at !== null && resolved_at < before,
      )
      const free = old.filter(({ id }) => canLockRow(draft, queueShape, id, "update"))
      const piece = sorted(queueShape, free, [["resolved_at", "asc"]]).slice(0, limit)
      for (const item of piece) removeRow(draft, queueShape, item)
      return piece.length
    }),
  firstResolvedAt: () =>
    Effect.map(
      statements.query((draft) => {
        const all = select(draft, queueShape, {}).flatMap(({ resolved_at }) => resolved_at ?? [])
        return all.toSorted((a, b) => a.getTime() - b.getTime())[0]
      }),
      Option.fromUndefinedOr,
    ),
})

const memoryReports = (statements: Statements): ModerationDb["moderationReports"] => ({
  ...memoryTable(statements, reportShape),
  add: (report) =>
    statements.change((draft) => {
      if (ownerOfKey(draft, reportShape, [...reportKey], report) !== undefined) return false
      return insertRow(draft, reportShape, report) !== null
    }),
})

const latestFirst = [
  ["updated_at", "desc"],
  ["id", "desc"],
] as const

const withUser = (draft: Draft, { id, ...trust }: TrustLevel & { readonly id: string }): ListedTrustLevel => {
  const [user] = select(draft, userShape, { id })
  if (user === undefined) throw new Error("A trust level is gone with its user.")
  const { display_name, email } = user
  return { ...trust, app_users: { id, display_name, email } }
}

const memoryTrust = (statements: Statements): TrustLevels => ({
  find: (userId) =>
    Effect.map(
      statements.query((draft) => {
        const [row] = select(draft, trustShape, { app_user_id: userId })
        if (row === undefined) return undefined
        const { id: _, ...trust } = row
        return trust
      }),
      Option.fromUndefinedOr,
    ),
  save: (trust) =>
    statements.change((draft) => {
      const row = { ...trust, id: trust.app_user_id }
      const present = rowsOf(draft, trustShape).get(row.id)
      if (present === undefined) insertRow(draft, trustShape, row)
      else replaceRow(draft, trustShape, present, row)
    }),
  page: (slice) =>
    statements.query((draft) => {
      const { rows, total } = pageOf(sorted(trustShape, select(draft, trustShape, {}), latestFirst), slice)
      return { rows: rows.map((row) => withUser(draft, row)), total }
    }),
  listAfter: ({ at, id }, slice) =>
    statements.query((draft) => {
      const place = { updated_at: at, id }
      const rows = sliceAfter(trustShape, select(draft, trustShape, {}), latestFirst, place, slice)
      return rows.map((row) => withUser(draft, row))
    }),
})

/** Moderation in memory. */
export const memoryModeration = (statements: Statements): ModerationDb => ({
  moderationRules: memoryRules(statements),
  moderationQueue: memoryQueue(statements),
  moderationReports: memoryReports(statements),
  trustLevels: memoryTrust(statements),
})
