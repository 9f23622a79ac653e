import { Forbidden, NotFound, QuotaExceeded } from "../failure.ts"
import type { Ids } from "../ports/ids.ts"
import { GroupFull, NotPublic, OwnerCannotLeave } from "./failures.ts"
import type { GroupRole, GroupRow } from "./group.ts"
import type { GroupInviteRow } from "./invite.ts"
import type { GroupMemberRow } from "./member.ts"
import type { GroupCounts } from "./port.ts"

// How many groups a user may own, and be a member of [I0.2].
const maxOwned = 1_000
const maxMemberships = 5_000

/** How many live invites a group may have [I2.5]. */
export const maxLiveInvites = 100

/** Whether those who are no members see a group and may join it: one that is held or rejected is like a private one [I6.3]. */
export const isOpen = ({ is_public, moderation }: Pick<GroupRow, "is_public" | "moderation">): boolean =>
  is_public && moderation === "shown"

/** What a member is in a group; null for one who is none [I2.1]. */
export const readRole = (
  { owner_id }: Pick<GroupRow, "owner_id">,
  member: Pick<GroupMemberRow, "app_user_id" | "is_admin"> | null,
): GroupRole | null => {
  if (member === null) return null
  if (member.app_user_id === owner_id) return "owner"
  return member.is_admin ? "admin" : "member"
}

/** The least role that a call asks of its caller. */
export type Right = "admin" | "owner"

/** Why a caller in this role does not see a group; null where nothing is against it [I2.3]. */
export const refuseStranger = (
  group: Pick<GroupRow, "is_public" | "moderation">,
  role: GroupRole | null,
): NotFound | null => (role === null && !isOpen(group) ? new NotFound() : null)

/** Why a caller in this role, who sees the group, may not do this; null where nothing is against it [I2.4]. */
export const refuseRole = (role: GroupRole | null, right: Right): Forbidden | null =>
  role === "owner" || (role === "admin" && right === "admin")
    ? null
    : new Forbidden(undefined, "Your role in the group does not allow this.")

/** Why an owner or admin may not take a member out of the group; null where nothing is against it [I2.4]. */
export const refuseKick = (kicker: GroupRole | null, kicked: GroupRole | null): OwnerCannotLeave | Forbidden | null => {
  if (kicked === "owner") return new OwnerCannotLeave()
  return kicker === "owner" || kicked === "member"
    ? null
    : new Forbidden(undefined, "Admins of a group may remove members only.")
}

const refuseMembership = ({ memberships }: Pick<GroupCounts, "memberships">): QuotaExceeded | null =>
  memberships >= maxMemberships ? new QuotaExceeded({ limit: maxMemberships }) : null

/** Why a group takes no further member; null where it does. */
export const refuseMember = (
  { member_count, max_members }: Pick<GroupRow, "member_count" | "max_members">,
  counts: Pick<GroupCounts, "memberships">,
): GroupFull | QuotaExceeded | null => (member_count >= max_members ? new GroupFull() : refuseMembership(counts))

/** Why a user may own no further group; null where that is possible. */
export const refuseOwner = ({ owned }: Pick<GroupCounts, "owned">): QuotaExceeded | null =>
  owned >= maxOwned ? new QuotaExceeded({ limit: maxOwned }) : null

/** Why a user may make no group; null where that is possible: its owner is a member too. */
export const refuseFounder = (counts: GroupCounts): QuotaExceeded | null =>
  refuseOwner(counts) ?? refuseMembership(counts)

/** Why somebody who is invited may not join; null where nothing is against it [I2.5]. */
export const refuseInvited = (isBanned: boolean): Forbidden | null =>
  isBanned ? new Forbidden(undefined, "You were banned from this group.") : null

/** Why somebody who is not invited may not join; null where nothing is against it [I2.3, I2.5]. */
export const refuseUninvited = (
  group: Pick<GroupRow, "is_public" | "moderation">,
  isBanned: boolean,
): Forbidden | NotPublic | null => refuseInvited(isBanned) ?? (isOpen(group) ? null : new NotPublic())

/** Whether an invite lets somebody in. */
export const isLive = (
  { is_ended, expires_at, uses, max_uses }: Pick<GroupInviteRow, "is_ended" | "expires_at" | "uses" | "max_uses">,
  now: Date,
): boolean => !is_ended && expires_at > now && (max_uses === null || uses < max_uses)

/** What one more use makes of an invite: the last one ends it. */
export const useInvite = ({ uses, max_uses, expires_at }: GroupInviteRow, now: Date): Partial<GroupInviteRow> => {
  const isLast = uses + 1 === max_uses
  return { uses: uses + 1, is_ended: isLast, expires_at: isLast ? now : expires_at }
}

// Without I, L, O, 0 and 1, which are taken for each other.
const letters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

/** The code of an invite: 16 characters that nobody guesses [I2.5]. */
export const makeUpInviteCode = ({ integer }: Pick<Ids, "integer">): string =>
  Array.from({ length: 16 }, () => letters[integer(letters.length)]).join("")

/** A code as it is stored; null for text that is none. Only ASCII: other letters could become others in upper case. */
export const readInviteCode = (text: string): string | null =>
  /^[A-Za-z2-9]{16}$/.test(text) ? text.toUpperCase() : null
