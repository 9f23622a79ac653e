import type { MagicLink, MagicLinks } from "@hearth/core/auth"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

/** The magic links of a project. */
export const makeMagicLinks = (statements: Statements, shape: TableShape): MagicLinks => ({
  ...makeTable<MagicLink>(statements, shape),
  lockByHash: (tokenHash) =>
    Effect.map(
      statements.rows<MagicLink>(
        `select ${shape.columns.join(", ")} from magic_link_tokens where token_hash = $1 for update`,
        [tokenHash],
      ),
      ([link]) => Option.fromNullishOr(link),
    ),
  removeOld: (before, limit) =>
    statements.count(
      `delete from magic_link_tokens where id in (
         select id from magic_link_tokens where expires_at < $1 order by expires_at limit $2 for update skip locked
       )`,
      [before, limit],
    ),
  oldest: () => statements.instant("select expires_at from magic_link_tokens order by expires_at limit 1"),
  removeOf: (email) =>
    Effect.asVoid(
      statements.rows(
        `delete from magic_link_tokens where id in (
           select id from magic_link_tokens where email = $1 for update skip locked
         )`,
        [email],
      ),
    ),
})
