import type { Currencies, Purses } from "@hearth/core/currencies"
import { keepIds } from "../memory/columns.ts"
import type { Statements } from "../memory/database.ts"
import { insertRow, lockRow, lockRows, rowsOf } from "../memory/rows.ts"
import { memoryTable } from "../memory/table.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"
import { currencyShape, purseShape } from "./memory-shapes.ts"

/** Currencies in memory. */
export const memoryCurrencies = (statements: Statements): Currencies => ({
  ...memoryTable(statements, currencyShape),
  lockCreation: () => statements.change((draft) => draft.lock("creation of currencies", "update")),
  count: () => statements.query((draft) => [...rowsOf(draft, currencyShape).values()].length),
  findCodes: (codes) =>
    statements.query((draft) => [...rowsOf(draft, currencyShape).values()].filter(({ code }) => codes.includes(code))),
})

/** Purses in memory. */
export const memoryPurses = (statements: Statements): Purses => ({
  lockMany: (userIds) =>
    statements.change((draft) => {
      const ids = lockRows(draft, userShape, readUsers(draft, keepIds(userIds)), "key share").map(({ id }) => id)
      const missing = ids.filter((id) => rowsOf(draft, purseShape).get(id) === undefined)
      for (const id of missing) insertRow(draft, purseShape, { id })
      for (const id of ids) lockRow(draft, purseShape, id, "no key update")
      return new Set(ids)
    }),
})
