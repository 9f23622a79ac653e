import type { TenantDb } from "@hearth/core"
import { type XpEntry, xpEntriesSection } from "@hearth/core/xp"
import { Effect } from "effect"
import { awkwardInstant, awkwardText, earlyInstant, lateInstant, textsInOrder } from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { anXpEntry } from "./builders.ts"

/** The ledger. */
export const xpEntries: TableCase<TenantDb, XpEntry> = {
  name: "xp entries",
  table: (db) => db.xpEntries,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return anXpEntry({ ...given, app_user_id: given.app_user_id ?? (yield* writeUser(db)) })
  }),
  samples: [
    {
      amount: 1_000_000_000,
      source: "event",
      reference_id: awkwardText,
      occurred_at: earlyInstant,
      created_at: lateInstant,
      is_ranked: true,
    },
    { amount: -1_000_000_000, source: "reward", reference_id: null, occurred_at: awkwardInstant, is_ranked: false },
    { cause_key: awkwardText, source: "achievement" },
  ],
  unique: [["cause_key"]],
  sorting: { column: "amount", ascending: [-1_000_000_000, -9, -1, 1, 9, 10, 1_000_000_000] },
  nullable: { column: "reference_id", ascending: textsInOrder },
}

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const app_user_id = yield* writeUser(db)
  const rows = [anXpEntry({ app_user_id }), anXpEntry({ app_user_id, amount: -3, reference_id: awkwardText })]
  yield* db.xpEntries.insertMany(rows)
  return { userId: app_user_id, rows }
})

/** What a project promises about the XP in the file about a user. */
export const xpEntriesSectionContract = sectionContract(xpEntriesSection, write)
