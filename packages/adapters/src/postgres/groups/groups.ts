import type { GroupCounts, GroupRow, Groups, Membership } from "@hearth/core/groups"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut, readTotal, textBytes } from "../sql/cut-page.ts"
import { likePattern } from "../sql/like.ts"
import { makeTable } from "../sql/table.ts"

// The same as what core says of what everybody sees. No name is compared where nothing is searched for.
const found = `
  from groups where is_public and moderation = 'shown' and ($1::text is null or name ilike $1)`

const counts = `
  select (select count(*)::int from groups where owner_id = $1) as owned,
    (select count(*)::int from group_members where app_user_id = $1) as memberships`

const lockPiece = `
  select id from groups where id in (
    select group_id from group_members where app_user_id = $1 order by group_id limit $2
  ) order by id for update`

// The locks are held, so this sees the groups as they will be left.
const departPiece = `
  with piece as materialized (
    select id, owner_id = $1 as is_owned from groups where id = any($2::uuid[])
  ), heirs as materialized (
    select p.id as group_id, coalesce((
      select app_user_id from group_members m
      where m.group_id = p.id and m.app_user_id <> $1 and is_admin order by joined_at, id limit 1
    ), (
      select app_user_id from group_members m
      where m.group_id = p.id and m.app_user_id <> $1 order by joined_at, id limit 1
    )) as app_user_id
    from piece p where p.is_owned
  ), ended as (
    update group_invites set is_ended = true, expires_at = $3
    where created_by = $1 and group_id = any($2::uuid[]) and not is_ended and expires_at > $3
  ), left_alone as (
    delete from groups where id in (select group_id from heirs where app_user_id is null)
  ), removed as (
    delete from group_members m using piece p
    where m.app_user_id = $1 and m.group_id = p.id
      and not exists (select from heirs h where h.group_id = p.id and h.app_user_id is null)
  ), promoted as (
    update group_members m set is_admin = true from heirs h
    where m.group_id = h.group_id and m.app_user_id = h.app_user_id and not m.is_admin
  )
  update groups g set member_count = member_count - 1, owner_id = coalesce(h.app_user_id, g.owner_id)
  from piece p left join heirs h on h.group_id = p.id
  where g.id = p.id and (not p.is_owned or h.app_user_id is not null)`

const isLeft = "select exists (select from group_members where app_user_id = $1) as is_left"

const groupBytes = `${textBytes("description")} + ${jsonBytes("metadata")}`

/** Groups, and how users are in them. */
export const makeGroups = (statements: Statements, shape: TableShape): Groups => {
  const columns = shape.columns.map((column) => `g.${column}`).join(", ")
  const countIn = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.map(
      statements.rows<{ readonly total: number }>(`select count(*)::int as total ${text}`, values),
      ([row]) => row?.total ?? 0,
    )
  return {
    ...makeTable<GroupRow>(statements, shape),
    search: Effect.fnUntraced(function* (search, slice) {
      const pattern = search === "" ? null : likePattern(search)
      const page = `select ${shape.columns.join(", ")} ${found} order by created_at desc, id desc limit $2 offset $3`
      const rows = yield* statements.rows<GroupRow & Measured>(cutPage(page, "created_at desc, id desc", groupBytes), [
        pattern,
        slice.limit,
        slice.offset,
      ])
      const read = readCut<GroupRow>(rows)
      return { ...read, total: readTotal(read, slice) ?? (yield* countIn(found, [pattern])) }
    }),
    pageOfUser: Effect.fnUntraced(function* (userId, { limit, offset }) {
      type Own = GroupRow & Pick<Membership, "is_admin">
      const page = `
        select ${columns}, m.is_admin, m.joined_at, m.id as member_id
        from group_members m join groups g on g.id = m.group_id
        where m.app_user_id = $1 order by m.joined_at desc, m.id desc limit $2 offset $3`
      const found = yield* statements.rows<Own & Measured & { readonly joined_at: Date; readonly member_id: string }>(
        cutPage(page, "joined_at desc, member_id desc", groupBytes),
        [userId, limit, offset],
      )
      const { rows, ...cutShort } = readCut<Own>(found.map(({ joined_at: _, member_id: __, ...own }) => own))
      const total = yield* countIn("from group_members where app_user_id = $1", [userId])
      return { rows: rows.map(({ is_admin, ...group }) => ({ group, is_admin })), total, ...cutShort }
    }),
    countsOf: (userId) =>
      Effect.map(statements.rows<GroupCounts>(counts, [userId]), ([row]) => row ?? { owned: 0, memberships: 0 }),
    depart: Effect.fnUntraced(function* (userId, at, limit) {
      const locked = yield* statements.rows<{ readonly id: string }>(lockPiece, [userId, limit])
      if (locked.length > 0) yield* statements.rows(departPiece, [userId, locked.map(({ id }) => id), at])
      const [left] = yield* statements.rows<{ readonly is_left: boolean }>(isLeft, [userId])
      return left?.is_left ?? false
    }),
  }
}
