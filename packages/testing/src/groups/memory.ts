import {
  GroupBanRow,
  GroupInviteRow,
  type GroupInvites,
  GroupMemberRow,
  type GroupMembers,
  GroupRow,
  type Groups,
} from "@hearth/core/groups"
import { keep } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import {
  canLockRow,
  columnOf,
  insertRow,
  keepRow,
  lockRows,
  ownerOfKey,
  removeRow,
  replaceRow,
  rowsOf,
} from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"
import { contains } from "../users/memory-search.ts"
import { userShape } from "../users/memory-shapes.ts"

/** The table of groups. */
export const groupShape = describeTable("groups", GroupRow, { checks: [({ max_members }) => max_members > 0] })
const parents = { group_id: groupShape.name, app_user_id: userShape.name }
const unique: ReadonlyArray<["group_id", "app_user_id"]> = [["group_id", "app_user_id"]]

/** The table of their members. */
export const groupMemberShape = describeTable("group members", GroupMemberRow, { unique, parents })

/** The table of bans. */
export const groupBanShape = describeTable("group bans", GroupBanRow, { unique, parents })

/** The table of invites. */
export const groupInviteShape = describeTable("group invites", GroupInviteRow, {
  unique: [["code"]],
  checks: [({ max_uses }) => max_uses === null || max_uses > 0],
  parents: { group_id: groupShape.name, created_by: userShape.name },
})

const addToCount = (draft: Draft, groupId: string, added: number) => {
  const group = rowsOf(draft, groupShape).get(groupId)
  if (group !== undefined) replaceRow(draft, groupShape, group, { ...group, member_count: group.member_count + added })
}

const standing = (draft: Draft, group_id: string) =>
  sorted(groupMemberShape, select(draft, groupMemberShape, { group_id }), [["joined_at", "asc"]])

const joinedLast = (draft: Draft, app_user_id: string) =>
  sorted(groupMemberShape, select(draft, groupMemberShape, { app_user_id }), [
    ["joined_at", "desc"],
    ["id", "desc"],
  ])

const isLive = (row: GroupInviteRow, now: Date) => !row.is_ended && row.expires_at > now

const endInvite = (draft: Draft, row: GroupInviteRow, now: Date) =>
  replaceRow(draft, groupInviteShape, row, { ...row, is_ended: true, expires_at: now })

/** Takes a user out of a group: it is handed over, or removed with its last member. */
const leave = (draft: Draft, group: GroupRow, userId: string, at: Date) => {
  for (const invite of select(draft, groupInviteShape, { group_id: group.id, created_by: userId }))
    if (isLive(invite, at)) endInvite(draft, invite, at)
  const members = standing(draft, group.id)
  const others = members.filter(({ app_user_id }) => app_user_id !== userId)
  const heir = others.find(({ is_admin }) => is_admin) ?? others[0]
  if (group.owner_id === userId && heir === undefined) return removeRow(draft, groupShape, group)
  for (const member of members) if (member.app_user_id === userId) removeRow(draft, groupMemberShape, member)
  const left = { ...group, member_count: group.member_count - 1 }
  if (group.owner_id !== userId || heir === undefined) return void replaceRow(draft, groupShape, group, left)
  if (!heir.is_admin) replaceRow(draft, groupMemberShape, heir, { ...heir, is_admin: true })
  replaceRow(draft, groupShape, group, { ...left, owner_id: heir.app_user_id })
}

/** Groups in memory. */
export const memoryGroups = (statements: Statements): Groups => ({
  ...memoryTable(statements, groupShape),
  search: (search, slice) =>
    statements.query((draft) => {
      const has = contains(keep(columnOf(groupShape, "name"), search) as string)
      const found = select(draft, groupShape, { is_public: true, moderation: "shown" }).filter(({ name }) => has(name))
      return pageOf(
        sorted(groupShape, found, [
          ["created_at", "desc"],
          ["id", "desc"],
        ]),
        slice,
      )
    }),
  pageOfUser: (app_user_id, slice) =>
    statements.query((draft) => {
      const memberships = joinedLast(draft, app_user_id).flatMap(({ group_id, is_admin }) =>
        select(draft, groupShape, { id: group_id }).map((group) => ({ group, is_admin })),
      )
      return pageOf(memberships, slice)
    }),
  countsOf: (userId) =>
    statements.query((draft) => ({
      owned: select(draft, groupShape, { owner_id: userId }).length,
      memberships: select(draft, groupMemberShape, { app_user_id: userId }).length,
    })),
  depart: (userId, at, limit) =>
    statements.change((draft) => {
      const memberships = () => select(draft, groupMemberShape, { app_user_id: userId })
      const ids = memberships()
        .map(({ group_id }) => group_id)
        .sort()
        .slice(0, limit)
      const groups = ids.flatMap((id) => select(draft, groupShape, { id }))
      for (const group of lockRows(draft, groupShape, groups, "update")) leave(draft, group, userId, at)
      return memberships().length > 0
    }),
})

/** The members of groups in memory. */
export const memoryGroupMembers = (statements: Statements): GroupMembers => {
  const { find, list, update } = memoryTable(statements, groupMemberShape)
  return {
    ...{ find, list, update },
    add: (row) =>
      statements.change((draft) => {
        insertRow(draft, groupMemberShape, row)
        addToCount(draft, row.group_id, 1)
      }),
    remove: (group_id, app_user_id) =>
      statements.change((draft) => {
        const [member] = select(draft, groupMemberShape, { group_id, app_user_id })
        if (member === undefined) return false
        removeRow(draft, groupMemberShape, member)
        addToCount(draft, group_id, -1)
        return true
      }),
    listWithUsers: (group_id, slice) =>
      statements.query((draft) =>
        pageOf(standing(draft, group_id), slice).rows.flatMap((member) =>
          select(draft, userShape, { id: member.app_user_id }).map(({ id, display_name, avatar_url }) => ({
            member,
            user: { id, display_name, avatar_url },
          })),
        ),
      ),
    listOfUser: (app_user_id) =>
      statements.query((draft) =>
        joinedLast(draft, app_user_id).flatMap((member) =>
          select(draft, groupShape, { id: member.group_id }).map(({ owner_id }) => ({ member, owner_id })),
        ),
      ),
  }
}

/** Invites into groups in memory. */
export const memoryGroupInvites = (statements: Statements): GroupInvites => ({
  ...memoryTable(statements, groupInviteShape),
  insertNew: (given) =>
    statements.change((draft) => {
      const row = keepRow(groupInviteShape, given)
      if (ownerOfKey(draft, groupInviteShape, ["code"], row) !== undefined) return false
      insertRow(draft, groupInviteShape, row)
      return true
    }),
  pageLive: (group_id, now, slice) =>
    statements.query((draft) => {
      const live = select(draft, groupInviteShape, { group_id }).filter((row) => isLive(row, now))
      return pageOf(
        sorted(groupInviteShape, live, [
          ["created_at", "desc"],
          ["id", "desc"],
        ]),
        slice,
      )
    }),
  end: (group_id, which, now) =>
    statements.change((draft) => {
      for (const row of select(draft, groupInviteShape, { group_id, ...which }))
        if (isLive(row, now)) endInvite(draft, row, now)
    }),
  oldest: () =>
    statements.query((draft) => {
      const all = [...rowsOf(draft, groupInviteShape).values()]
      return sorted(groupInviteShape, all, [["expires_at", "asc"]])[0]?.expires_at ?? null
    }),
  removeOld: (before, limit) =>
    statements.change((draft) => {
      const ended = [...rowsOf(draft, groupInviteShape).values()].filter(({ expires_at }) => expires_at < before)
      const free = ended.filter(({ id }) => canLockRow(draft, groupInviteShape, id, "update"))
      const piece = sorted(groupInviteShape, free, [["expires_at", "asc"]]).slice(0, limit)
      for (const row of piece) removeRow(draft, groupInviteShape, row)
      return piece.length
    }),
})
