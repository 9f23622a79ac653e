import {
  type Entitlement,
  type EntitlementKey,
  EntitlementSource,
  type EntitlementSources,
  type EntitlementSummary,
  type Entitlements,
} from "@hearth/core/entitlements"
import { Effect } from "effect"
import { keep, keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { columnOf, insertRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable, type Shape } from "../memory/shape.ts"
import { memoryTable, select, sorted } from "../memory/table.ts"
import { entitlementShape } from "../users/memory-shapes.ts"

/** The table of what sources say. */
export const entitlementSourceShape = describeTable("entitlement sources", EntitlementSource, {
  unique: [["app_user_id", "source", "entitlement_id"]],
  parents: { app_user_id: "users" },
})

const summaryOf = ({ id, entitlement_id, is_active, expiration_date }: Entitlement): EntitlementSummary => ({
  id,
  entitlement_id,
  is_active,
  expiration_date,
})

/** The summaries of a user's entitlements, sorted by name. */
export const summariesOf = (draft: Draft, app_user_id: string): ReadonlyArray<EntitlementSummary> =>
  sorted(entitlementShape, select(draft, entitlementShape, { app_user_id }), [["entitlement_id", "asc"]]).map(summaryOf)

const formatKey = (key: EntitlementKey) => JSON.stringify([key.app_user_id, key.entitlement_id])

/** Rows of entitlements by their keys, many at once. */
const manyRows = <Row extends EntitlementKey & { readonly id: string }>(statements: Statements, shape: Shape<Row>) => ({
  listMany: (keys: ReadonlyArray<EntitlementKey>) =>
    statements.query((draft) => {
      const keepIn = (column: keyof EntitlementKey, value: string) => keep(columnOf(shape, column), value)
      const wanted = new Set(
        keys.map(({ app_user_id, entitlement_id }) =>
          JSON.stringify([keepIn("app_user_id", app_user_id), keepIn("entitlement_id", entitlement_id)]),
        ),
      )
      return [...rowsOf(draft, shape).values()].filter((row) => wanted.has(formatKey(row)))
    }),
  save: (rows: ReadonlyArray<Row>) =>
    statements.change((draft) => {
      if (new Set(rows.map(({ id }) => id)).size < rows.length) throw new Error("A row is saved twice.")
      for (const row of rows.toSorted((a, b) => (formatKey(a) < formatKey(b) ? -1 : 1))) {
        const present = rowsOf(draft, shape).get(row.id)
        if (present === undefined) insertRow(draft, shape, row)
        else replaceRow(draft, shape, present, row)
      }
    }),
  removeMany: (ids: ReadonlyArray<string>) =>
    statements.change((draft) => {
      for (const id of keepIds(ids)) {
        const row = rowsOf(draft, shape).get(id)
        if (row !== undefined) removeRow(draft, shape, row)
      }
    }),
})

const isEndable = ({ source, is_active, expiration_date }: EntitlementSource) =>
  source === "provider" && is_active && expiration_date !== null

/** What each source says about entitlements. */
export const memoryEntitlementSources = (statements: Statements): EntitlementSources => {
  const endable = () =>
    statements.query((draft) =>
      sorted(entitlementSourceShape, [...rowsOf(draft, entitlementSourceShape).values()].filter(isEndable), [
        ["expiration_date", "asc"],
      ]),
    )
  return {
    ...memoryTable(statements, entitlementSourceShape),
    ...manyRows(statements, entitlementSourceShape),
    ended: (at, limit) =>
      Effect.map(endable(), (rows) =>
        rows
          .filter(({ expiration_date }) => expiration_date !== null && expiration_date <= at)
          .slice(0, limit)
          .map(({ app_user_id, entitlement_id }) => ({ app_user_id, entitlement_id })),
      ),
    listProvided: (userIds) =>
      statements.query((draft) => {
        const wanted = new Set(keepIds(userIds))
        return select(draft, entitlementSourceShape, { source: "provider" })
          .filter(({ app_user_id }) => wanted.has(app_user_id))
          .map(({ app_user_id, entitlement_id }) => ({ app_user_id, entitlement_id }))
      }),
    nextEnd: () => Effect.map(endable(), ([next]) => next?.expiration_date ?? null),
  }
}

/** The entitlements of users. */
export const memoryEntitlements = (statements: Statements): Entitlements => ({
  ...memoryTable(statements, entitlementShape),
  ...manyRows(statements, entitlementShape),
  ofUsers: (userIds) =>
    statements.query((draft) => {
      const all = keepIds(userIds).map((id) => [id, summariesOf(draft, id)] as const)
      return new Map(all.filter(([, summaries]) => summaries.length > 0))
    }),
})
