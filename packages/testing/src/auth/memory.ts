import { AccountLink, MagicLink, type MagicLinks } from "@hearth/core/auth"
import { Effect, Option } from "effect"
import type { Statements } from "../memory/database.ts"
import { removeRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select } from "../memory/table.ts"

/** The table of the identities of users. */
export const accountLinkShape = describeTable("account links", AccountLink, {
  unique: [["provider", "provider_id"]],
  parents: { app_user_id: "users" },
})

/** The table of links that sign in by mail. */
export const magicLinkShape = describeTable("magic links", MagicLink, { unique: [["token_hash"]] })

/** The links of a project that sign in by mail. */
export const memoryMagicLinks = (statements: Statements): MagicLinks => ({
  ...memoryTable(statements, magicLinkShape),
  // Transactions run one after the other: whoever is in one holds the link.
  lockByHash: (token_hash) =>
    Effect.map(
      statements.query((draft) => select(draft, magicLinkShape, { token_hash })[0]),
      Option.fromUndefinedOr,
    ),
  removeExpired: (before) =>
    statements.change((draft) => {
      for (const link of rowsOf(draft, magicLinkShape).values()) {
        if (link.expires_at < before) removeRow(draft, magicLinkShape, link)
      }
    }),
})
