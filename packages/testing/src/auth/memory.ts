import { AccountLink, MagicLink, type MagicLinks } from "@hearth/core/auth"
import { Effect, Option } from "effect"
import type { Statements } from "../memory/database.ts"
import { canLockRow, lockRows, removeRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select } from "../memory/table.ts"

/** The table of the identities of users. */
export const accountLinkShape = describeTable("account links", AccountLink, {
  unique: [["provider", "provider_id"]],
  parents: { app_user_id: "users" },
})

/** The table of magic links. */
export const magicLinkShape = describeTable("magic links", MagicLink, { unique: [["token_hash"]] })

/** The magic links of a project. */
export const memoryMagicLinks = (statements: Statements): MagicLinks => ({
  ...memoryTable(statements, magicLinkShape),
  lockByHash: (token_hash) =>
    Effect.map(
      statements.query(
        (draft) => lockRows(draft, magicLinkShape, select(draft, magicLinkShape, { token_hash }), "update")[0],
      ),
      Option.fromUndefinedOr,
    ),
  removeExpired: (before) =>
    statements.change((draft) => {
      for (const link of rowsOf(draft, magicLinkShape).values()) {
        if (link.expires_at < before && canLockRow(draft, magicLinkShape, link.id, "update"))
          removeRow(draft, magicLinkShape, link)
      }
    }),
  removeOf: (email) =>
    statements.change((draft) => {
      for (const link of select(draft, magicLinkShape, { email }))
        if (canLockRow(draft, magicLinkShape, link.id, "update")) removeRow(draft, magicLinkShape, link)
    }),
})
