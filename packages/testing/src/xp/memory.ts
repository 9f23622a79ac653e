import { Count, Text, Uuid } from "@hearth/core"
import {
  XpDay,
  type XpDayKey,
  type XpDays,
  type XpEntries,
  XpEntry,
  XpLevel,
  type XpLevels,
  XpRule,
  type XpRules,
  XpTotal,
  type XpTotals,
} from "@hearth/core/xp"
import { Schema } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRow, lockRows, ownerOfKey, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, removeOfUser, select, sorted } from "../memory/table.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"

/** The ledger. */
export const xpEntryShape = describeTable("xp entries", XpEntry, {
  unique: [["cause_key"]],
  parents: { app_user_id: "users" },
})

/** The totals of users, by their ids. */
export const xpTotalShape = describeTable("xp totals", Schema.Struct({ id: Uuid, ...XpTotal.fields }), {
  parents: { app_user_id: "users" },
  checks: [({ total, highest_total }) => highest_total >= total],
})

/** What users were given by name and day. The id is made of the key. */
export const xpDayShape = describeTable("xp days", Schema.Struct({ id: Text, ...XpDay.fields }), {
  indexed: [["app_user_id", "event_name", "day"]],
  parents: { app_user_id: "users" },
})

/** The rules, by the names of their events. */
export const xpRuleShape = describeTable("xp rules", Schema.Struct({ id: Text, position: Count, ...XpRule.fields }), {
  checks: [({ amount }) => amount > 0, ({ daily_cap }) => daily_cap === null || daily_cap > 0],
})

/** The levels, by what they require. */
export const xpLevelShape = describeTable("xp levels", Schema.Struct({ id: Text, ...XpLevel.fields }))

/** The ledger. */
export const memoryXpEntries = (statements: Statements): XpEntries => ({
  ...memoryTable(statements, xpEntryShape),
  findCauses: (causes) =>
    statements.query(
      (draft) =>
        new Set(
          causes.filter(
            (cause_key) => ownerOfKey(draft, xpEntryShape, ["cause_key"], { cause_key } as XpEntry) !== undefined,
          ),
        ),
    ),
  insertMany: (entries) =>
    statements.change((draft) => {
      for (const entry of entries) insertRow(draft, xpEntryShape, entry)
    }),
  newest: (app_user_id, limit) =>
    statements.query((draft) =>
      sorted(xpEntryShape, select(draft, xpEntryShape, { app_user_id }), [
        ["created_at", "desc"],
        ["id", "desc"],
      ]).slice(0, limit),
    ),
  markRanked: (ids) =>
    statements.change((draft) => {
      for (const id of ids) {
        const present = rowsOf(draft, xpEntryShape).get(id)
        if (present !== undefined) replaceRow(draft, xpEntryShape, present, { ...present, is_ranked: true })
      }
    }),
  removeSome: (userId, limit) => removeOfUser(statements, xpEntryShape, userId, limit),
})

const readTotal = (draft: Draft, userId: string): XpTotal => {
  const { id: _, ...total } = rowsOf(draft, xpTotalShape).get(userId) ?? {
    ...{ id: userId, app_user_id: userId },
    ...{ total: 0, highest_total: 0 },
  }
  return total
}

/** The totals of users. */
export const memoryXpTotals = (statements: Statements): XpTotals => ({
  find: (userId) => statements.query((draft) => readTotal(draft, userId)),
  findMany: (userIds) =>
    statements.query((draft) => {
      const known = userIds.filter((id) => rowsOf(draft, xpTotalShape).get(id) !== undefined)
      return new Map(known.map((id) => [id, readTotal(draft, id)]))
    }),
  lockMany: (userIds) =>
    statements.change((draft) => {
      const users = lockRows(draft, userShape, readUsers(draft, userIds), "key share")
      for (const { id } of users) {
        if (rowsOf(draft, xpTotalShape).get(id) === undefined)
          insertRow(draft, xpTotalShape, { id, ...readTotal(draft, id) })
      }
      for (const { id } of users) lockRow(draft, xpTotalShape, id, "no key update")
      return new Map(users.map(({ id }) => [id, readTotal(draft, id)]))
    }),
  save: (totals) =>
    statements.change((draft) => {
      for (const total of totals) {
        const present = rowsOf(draft, xpTotalShape).get(total.app_user_id)
        if (present !== undefined) replaceRow(draft, xpTotalShape, present, { id: present.id, ...total })
      }
    }),
})

const formatDay = (key: XpDayKey) => `${key.app_user_id}/${key.day}/${key.event_name}`

/** What users were given by name and day. */
export const memoryXpDays = (statements: Statements): XpDays => ({
  list: (keys) =>
    statements.query((draft) =>
      [...new Set(keys.map(formatDay))].flatMap((id) => {
        const found = rowsOf(draft, xpDayShape).get(id)
        if (found === undefined) return []
        const { id: _, ...day } = found
        return [day]
      }),
    ),
  save: (days) =>
    statements.change((draft) => {
      if (new Set(days.map(formatDay)).size < days.length) throw new Error("A day is saved twice.")
      for (const day of days) {
        const row = { id: formatDay(day), ...day }
        const present = rowsOf(draft, xpDayShape).get(row.id)
        if (present === undefined) insertRow(draft, xpDayShape, row)
        else replaceRow(draft, xpDayShape, present, row)
      }
    }),
})

/** What events are worth. */
export const memoryXpRules = (statements: Statements): XpRules => {
  const list = () =>
    statements.query((draft) =>
      sorted(xpRuleShape, select(draft, xpRuleShape, {}), [["position", "asc"]]).map(
        ({ id: _, position: __, ...rule }) => rule,
      ),
    )
  return {
    list,
    listByName: (names) =>
      statements.query((draft) =>
        [...new Set(names)].flatMap((name) =>
          select(draft, xpRuleShape, { id: name }).map(({ id: _, position: __, ...rule }) => rule),
        ),
      ),
    replace: (rules) =>
      statements.change((draft) => {
        for (const row of select(draft, xpRuleShape, {})) removeRow(draft, xpRuleShape, row)
        for (const [position, rule] of rules.entries())
          insertRow(draft, xpRuleShape, { id: rule.event_name, position, ...rule })
      }),
  }
}

/** The levels of a project. */
export const memoryXpLevels = (statements: Statements): XpLevels => ({
  list: () =>
    statements.query((draft) =>
      sorted(xpLevelShape, select(draft, xpLevelShape, {}), [["xp_required", "asc"]]).map(
        ({ id: _, ...level }) => level,
      ),
    ),
  replace: (levels) =>
    statements.change((draft) => {
      for (const row of select(draft, xpLevelShape, {})) removeRow(draft, xpLevelShape, row)
      for (const level of levels) insertRow(draft, xpLevelShape, { id: String(level.xp_required), ...level })
    }),
})
