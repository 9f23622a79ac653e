import type { GroupMemberRow, GroupMembers, MemberWithUser, OwnMembership } from "@hearth/core/groups"
import type { Person } from "@hearth/core/users"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

const add = `
  with added as (
    insert into group_members (id, group_id, app_user_id, is_admin, joined_at) values ($1, $2, $3, $4, $5)
    returning group_id
  )
  update groups set member_count = member_count + 1 where id in (select group_id from added)`

const remove = `
  with removed as (
    delete from group_members where group_id = $1 and app_user_id = $2 returning group_id
  )
  update groups set member_count = member_count - 1 where id in (select group_id from removed) returning id`

const ofUser = `
  select m.id, m.group_id, m.app_user_id, m.is_admin, m.joined_at, g.owner_id
  from group_members m join groups g on g.id = m.group_id
  where m.app_user_id = $1 order by m.joined_at desc, m.id desc`

type Joined = GroupMemberRow & Pick<Person, "display_name" | "avatar_url">

const page = `
  select m.id, m.group_id, m.app_user_id, m.is_admin, m.joined_at, u.display_name, u.avatar_url
  from (
    select * from group_members where group_id = $1 order by joined_at, id limit $2 offset $3
  ) m join app_users u on u.id = m.app_user_id order by m.joined_at, m.id`

/** The members of groups. */
export const makeGroupMembers = (statements: Statements, shape: TableShape): GroupMembers => {
  const { find, list, update } = makeTable<GroupMemberRow>(statements, shape)
  return {
    ...{ find, list, update },
    add: ({ id, group_id, app_user_id, is_admin, joined_at }) =>
      Effect.asVoid(statements.rows(add, [id, group_id, app_user_id, is_admin, joined_at])),
    remove: (groupId, userId) => Effect.map(statements.rows(remove, [groupId, userId]), (rows) => rows.length > 0),
    listWithUsers: (groupId, { limit, offset }) =>
      Effect.map(statements.rows<Joined>(page, [groupId, limit, offset]), (rows) =>
        rows.map(
          ({ display_name, avatar_url, ...member }): MemberWithUser => ({
            member,
            user: { id: member.app_user_id, display_name, avatar_url },
          }),
        ),
      ),
    listOfUser: (userId) =>
      Effect.map(statements.rows<GroupMemberRow & Pick<OwnMembership, "owner_id">>(ofUser, [userId]), (rows) =>
        rows.map(({ owner_id, ...member }) => ({ member, owner_id })),
      ),
  }
}
