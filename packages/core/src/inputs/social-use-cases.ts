import { Schema } from "effect"
import { FeedRuleChanges, FeedScope, NewFeedRule } from "../feeds/index.ts"
import { GroupChanges, GroupRole, NewGroup, NewGroupInvite, NewGroupMember, NewGroupOfUser } from "../groups/index.ts"
import { NewConversation, NewMessage } from "../messaging/index.ts"
import {
  ModerationRuleChanges,
  NewModerationRule,
  NewReport,
  QueueStatus,
  RulePreviewInput,
  TrustLevelInput,
} from "../moderation/index.ts"
import { FollowDirection } from "../relations/index.ts"
import { ItemKey, NewReview, ReviewChanges } from "../reviews/index.ts"
import { reviewFields } from "./review-fields.ts"
import {
  anyText,
  checked,
  id,
  ids,
  optionalChecked,
  optionalId,
  optionalRecord,
  optionalText,
  options,
  record,
  slice,
  sliceOfUser,
} from "./rules.ts"

/** How the arguments of the use cases of groups, feeds, messages, reviews and moderation are read. */
export const socialRules = {
  adminMessaging: { conversations: [id, slice], messages: [id, id, slice], remove: [id, id], stats: [id] },
  conversations: {
    addParticipants: [id, id, id, ids],
    leave: [id, id, id],
    list: [id, id, slice],
    open: [id, id, record(NewConversation)],
    read: [id, id, id, optionalId],
  },
  feeds: {
    createRule: [id, record(NewFeedRule)],
    items: [id, slice],
    page: [id, id, options({ scope: { of: "all" }, limit: 50 }, [], { scope: FeedScope })],
    removeItem: [id, id],
    removeRule: [id, id],
    rules: [id, slice],
    updateRule: [id, id, record(FeedRuleChanges)],
  },
  groups: {
    admin: {
      addMember: [id, id, record(NewGroupMember)],
      changeRole: [id, id, id, checked("role", GroupRole)],
      create: [id, record(NewGroupOfUser)],
      get: [id, id],
      list: [id, slice],
      members: [id, id, options({ limit: 1000, offset: 0 })],
      remove: [id, id],
      removeMember: [id, id, id],
      update: [id, id, record(GroupChanges)],
    },
    create: [id, id, record(NewGroup)],
    find: [id, id, id],
    invites: { create: [id, id, id, optionalRecord(NewGroupInvite)], end: [id, id, id], list: [id, id, id, slice] },
    join: [id, id, id],
    joinByCode: [id, id, anyText("code")],
    kick: [id, id, id, id, optionalChecked("ban", Schema.Boolean, false)],
    leave: [id, id, id],
    members: [id, id, id, options({ limit: 1000, offset: 0 })],
    own: [id, id, slice],
    remove: [id, id, id],
    search: [id, optionalText("q", ""), options({ limit: 20, offset: 0 })],
    transfer: [id, id, id, id],
    update: [id, id, id, record(GroupChanges)],
  },
  messages: { list: [id, id, id, slice], removeOwn: [id, id, id], send: [id, id, id, record(NewMessage)] },
  moderation: {
    preview: [id, record(RulePreviewInput)],
    queue: {
      approve: [id, id],
      escalate: [id, id],
      list: [id, optionalChecked("status", QueueStatus, "pending"), sliceOfUser],
      reject: [id, id],
    },
    report: [id, id, record(NewReport)],
    rules: {
      create: [id, record(NewModerationRule)],
      list: [id, slice],
      remove: [id, id],
      update: [id, id, record(ModerationRuleChanges)],
    },
    trust: { list: [id, slice], save: [id, record(TrustLevelInput)] },
  },
  relations: {
    block: [id, id, id],
    blocks: [id, id, slice],
    follow: [id, id, id],
    follows: [id, id, optionalChecked("direction", FollowDirection, "following"), slice],
    unblock: [id, id, id],
    unfollow: [id, id, id],
  },
  reviews: {
    create: [id, id, record(NewReview)],
    listOfItem: [id, id, record(ItemKey), slice],
    manage: {
      approve: [id, id],
      list: [id, options({ rating_min: 1, rating_max: 5 }, [], reviewFields), slice],
      listItems: [id, slice],
      remove: [id, id],
      stats: [id],
    },
    remove: [id, id, id],
    update: [id, id, id, record(ReviewChanges)],
  },
} as const
