import type { Effect } from "effect"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { Sweepable } from "../retention/sweep.ts"
import type { Person } from "../users/user.ts"
import type { GroupRow } from "./group.ts"
import type { GroupInviteRow } from "./invite.ts"
import type { GroupBanRow, GroupMemberRow } from "./member.ts"

/** A group and how a user is in it. */
export interface Membership {
  readonly group: GroupRow
  readonly is_admin: boolean
}

/** Of how much there is of a user. */
export interface GroupCounts {
  readonly owned: number
  readonly memberships: number
}

/**
 * The groups of a project. Their members, bans and invites go with them. `owner_id` references no user, so that a group is handed
 * over without a lock of the new owner: whoever removes a user calls `depart` before.
 */
export interface Groups extends Table<GroupRow> {
  /**
   * Those that everybody sees (public and shown) whose name has `search` in it, in any case and without wildcards, the newest first [A11].
   * An empty text is in every name.
   */
  search(search: string, slice: Slice): Effect.Effect<Page<GroupRow>>
  /** Those that a user is a member of, the last joined first. */
  pageOfUser(userId: string, slice: Slice): Effect.Effect<Page<Membership>>
  /** How many groups the user owns and is a member of. Lock the user first, so that it stays true. */
  countsOf(userId: string): Effect.Effect<GroupCounts>
  /**
   * Takes the user out of at most `limit` groups, which are locked by id: those of the user's are handed over to the
   * longest-standing admin, else member, or removed where nobody is left, and the user's invites there end at `at`. Answers
   * whether the user is a member of more.
   */
  depart(userId: string, at: Date, limit: number): Effect.Effect<boolean>
}

/** A member with who that is. */
export interface MemberWithUser {
  readonly member: GroupMemberRow
  readonly user: Person
}

/** A membership with who owns the group. */
export interface OwnMembership {
  readonly member: GroupMemberRow
  readonly owner_id: string
}

/**
 * The members of groups. Unique: (`group_id`, `app_user_id`). Whoever changes them has locked the user and the group, in this
 * order. Where a user is removed without `depart`, the `member_count` of groups is not right any more.
 */
export interface GroupMembers extends Pick<Table<GroupMemberRow>, "find" | "list" | "update"> {
  /** Adds a member, and counts it in the group. Who is a member already, and a group that is not there, are defects. */
  add(row: GroupMemberRow): Effect.Effect<void>
  /** Removes a member, and counts that. Answers whether there was one. */
  remove(groupId: string, userId: string): Effect.Effect<boolean>
  /** A slice of the members of a group, those who have joined first before others. */
  listWithUsers(groupId: string, slice: Slice): Effect.Effect<ReadonlyArray<MemberWithUser>>
  /** All memberships of a user, each with who owns the group, the last joined first. */
  listOfUser(userId: string): Effect.Effect<ReadonlyArray<OwnMembership>>
}

/** Invites into groups. Unique: `code`. The group is locked before they are changed. Swept by `expires_at` [I0.3]. */
export interface GroupInvites extends Table<GroupInviteRow>, Sweepable {
  /** Writes an invite, unless its code is taken. Answers whether it was written. */
  insertNew(row: GroupInviteRow): Effect.Effect<boolean>
  /** The live ones of a group, the newest first. */
  pageLive(groupId: string, now: Date, slice: Slice): Effect.Effect<Page<GroupInviteRow>>
  /** Ends the live ones of a group: all that a user has made, or the one of this code. */
  end(
    groupId: string,
    which: { readonly created_by: string } | { readonly code: string },
    now: Date,
  ): Effect.Effect<void>
}

/** What a project's database has for groups. */
export interface GroupsDb {
  readonly groups: Groups
  readonly groupMembers: GroupMembers
  readonly groupInvites: GroupInvites
  readonly groupBans: Table<GroupBanRow>
}
