import { Schema } from "effect"
import { FeedCursor, FeedRuleChanges, FeedScope, NewFeedRule } from "../feeds/index.ts"
import { GroupChanges, GroupRole, NewGroup, NewGroupInvite, NewGroupMember, NewGroupOfUser } from "../groups/index.ts"
import { ListCursor } from "../list-cursor.ts"
import { MessageCursor, NewConversation, NewMessage } from "../messaging/index.ts"
import {
  ContentType,
  ModerationRuleChanges,
  NewModerationRule,
  NewReport,
  QueueStatus,
  RulePreviewInput,
  TrustLevelInput,
} from "../moderation/index.ts"
import { FollowDirection } from "../relations/index.ts"
import { ItemKey, NewReview, ReviewChanges } from "../reviews/index.ts"
import { Text } from "../schema.ts"
import { position } from "./positions.ts"
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
  readOn,
  record,
  slice,
} from "./rules.ts"

/** How the arguments of the use cases of groups, feeds, messages, reviews and moderation are read. */
export const socialRules = {
  adminMessaging: {
    conversations: [id, readOn(ListCursor)],
    messages: [id, id, readOn(MessageCursor)],
    remove: [id, id],
    stats: [id],
  },
  conversations: {
    addParticipants: [id, id, id, ids("app_user_ids")],
    leave: [id, id, id],
    list: [id, id, slice],
    open: [id, id, record(NewConversation)],
    read: [id, id, id, optionalId],
  },
  feeds: {
    createRule: [id, record(NewFeedRule)],
    items: [id, readOn(ListCursor, [], { action: Text })],
    page: [
      id,
      id,
      options({ scope: { of: "all" }, limit: 50 }, [], { scope: FeedScope, cursor: position(FeedCursor) }),
    ],
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
      list: [id, readOn(ListCursor)],
      members: [id, id, options({ limit: 1000, offset: 0 })],
      remove: [id, id],
      removeMember: [id, id, id],
      update: [id, id, record(GroupChanges)],
    },
    create: [id, id, record(NewGroup)],
    find: [id, id, id],
    invites: {
      create: [id, id, id, optionalRecord(NewGroupInvite)],
      end: [id, id, id, anyText("code")],
      list: [id, id, id, slice],
    },
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
      list: [
        ...[id, optionalChecked("status", QueueStatus, "pending")],
        readOn(ListCursor, ["user_id"], { content_type: ContentType }),
      ],
      reject: [id, id],
    },
    report: [id, id, record(NewReport)],
    rules: {
      create: [id, record(NewModerationRule)],
      list: [id, slice],
      remove: [id, id],
      update: [id, id, record(ModerationRuleChanges)],
    },
    trust: { list: [id, readOn(ListCursor)], save: [id, record(TrustLevelInput)] },
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
      approve: [id, id, checked("is_approved", Schema.Boolean)],
      list: [id, options({ rating_min: 1, rating_max: 5 }, [], reviewFields), readOn(ListCursor)],
      listItems: [id, slice],
      remove: [id, id],
      stats: [id],
    },
    remove: [id, id, id],
    update: [id, id, id, record(ReviewChanges)],
  },
} as const
