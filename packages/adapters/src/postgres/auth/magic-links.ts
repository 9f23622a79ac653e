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
  // Skips links that another call has locked or is removing, so two calls never wait for each other.
  removeExpired: (before) =>
    Effect.asVoid(
      statements.rows(
        `delete from magic_link_tokens where id in (
           select id from magic_link_tokens where expires_at < $1 for update skip locked
         )`,
        [before],
      ),
    ),
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
