import type { GroupInviteRow, GroupInvites } from "@hearth/core/groups"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

const live = "from group_invites where group_id = $1 and not is_ended and expires_at > $2"

const removeOld = `
  delete from group_invites where id in (
    select id from group_invites where expires_at < $1 order by expires_at, id limit $2 for update skip locked
  ) returning id`

/** Invites into groups. */
export const makeGroupInvites = (statements: Statements, shape: TableShape): GroupInvites => {
  const { columns, name } = shape
  const insertNew = `
    insert into ${name} (${columns.join(", ")}) values (${columns.map((_, at) => `$${at + 1}`).join(", ")})
    on conflict (code) do nothing returning id`
  return {
    ...makeTable<GroupInviteRow>(statements, shape),
    insertNew: (row) =>
      Effect.map(
        statements.rows(
          insertNew,
          columns.map((column) => row[column as keyof GroupInviteRow]),
        ),
        (written) => written.length > 0,
      ),
    pageLive: Effect.fnUntraced(function* (groupId, now, { limit, offset }) {
      const rows = yield* statements.rows<GroupInviteRow>(
        `select ${columns.join(", ")} ${live} order by created_at desc, id desc limit $3 offset $4`,
        [groupId, now, limit, offset],
      )
      const [counted] = yield* statements.rows<{ readonly total: number }>(`select count(*)::int as total ${live}`, [
        groupId,
        now,
      ])
      return { rows, total: counted?.total ?? 0 }
    }),
    end: (groupId, which, now) => {
      const [column, value] = "code" in which ? ["code", which.code] : ["created_by", which.created_by]
      return Effect.asVoid(
        statements.rows(
          `update group_invites set is_ended = true, expires_at = $2
           where group_id = $1 and ${column} = $3 and not is_ended and expires_at > $2`,
          [groupId, now, value],
        ),
      )
    },
    removeOld: (before, limit) => Effect.map(statements.rows(removeOld, [before, limit]), (rows) => rows.length),
    oldest: () => statements.instant("select min(expires_at) from group_invites"),
  }
}
