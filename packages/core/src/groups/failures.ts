import { failure } from "../failure.ts"

/** The group takes nobody who is not invited. */
export class NotPublic extends failure("NotPublic", "forbidden", "NOT_PUBLIC", "The group is not public.") {}

/** The group has `max_members` members. */
export class GroupFull extends failure("GroupFull", "conflict", "GROUP_FULL", "The group is full.") {}

/** A group always has its owner: who is to leave it hands it over first. */
export class OwnerCannotLeave extends failure(
  "OwnerCannotLeave",
  "invalid",
  "OWNER_CANNOT_LEAVE",
  "The owner must hand the group over or delete it first.",
) {}

/** There is no live invite of this code [I2.5]. */
export class InviteNotFound extends failure(
  "InviteNotFound",
  "not_found",
  "INVITE_NOT_FOUND",
  "There is no such invite, or it has ended.",
) {}
