import { AccountLink, MagicLink, type MagicLinks } from "@hearth/core/auth"
import { Effect, Option } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { canLockRow, lockRows, removeRow } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select, sorted } from "../memory/table.ts"

/** The table of the identities of users. */
export const accountLinkShape = describeTable("account links", AccountLink, {
  unique: [["provider", "provider_id"]],
  parents: { app_user_id: "users" },
})

/** The table of magic links. */
export const magicLinkShape = describeTable("magic links", MagicLink, { unique: [["token_hash"]] })

const byEnd = (draft: Draft) => sorted(magicLinkShape, select(draft, magicLinkShape, {}), [["expires_at", "asc"]])

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
  removeOld: (before, limit) =>
    statements.change((draft) => {
      const old = byEnd(draft).filter(
        ({ id, expires_at }) => expires_at < before && canLockRow(draft, magicLinkShape, id, "update"),
      )
      for (const link of old.slice(0, limit)) removeRow(draft, magicLinkShape, link)
      return Math.min(old.length, limit)
    }),
  oldest: () => statements.query((draft) => byEnd(draft)[0]?.expires_at ?? null),
  removeOf: (email) =>
    statements.change((draft) => {
      for (const link of select(draft, magicLinkShape, { email }))
        if (canLockRow(draft, magicLinkShape, link.id, "update")) removeRow(draft, magicLinkShape, link)
    }),
})
