import { DeadLetterStatus, RetryLetters } from "../background/index.ts"
import { DeepLinkConfigChanges, NewTrackedLink, Platform, TrackedLinkChanges } from "../deep-links/index.ts"
import { EventCursor, EventGroup } from "../events/index.ts"
import { ExportFormat } from "../exports/index.ts"
import { IdCursor, ListCursor } from "../list-cursor.ts"
import { NewAsset, NewClientAsset, NewFolder } from "../media/index.ts"
import { DeliveryStatus, NewPushToken, PushReceipt } from "../push/index.ts"
import { Text } from "../schema.ts"
import { NewSegment, SegmentChanges } from "../segments/index.ts"
import { NewTrackingSession, TrackingSessionReference } from "../tracking-sessions/index.ts"
import { AdminUserChanges, ProfileChanges, UserCursor } from "../users/index.ts"
import { InboxStatus, WebhookProvider } from "../webhooks/index.ts"
import { accountRules } from "./account-use-cases.ts"
import { contentRules } from "./content-use-cases.ts"
import { economyRules } from "./economy-use-cases.ts"
import { position } from "./positions.ts"
import { progressRules } from "./progress-use-cases.ts"
import { reviewFields } from "./review-fields.ts"
import {
  anyText,
  checked,
  count,
  id,
  optionalChecked,
  optionalId,
  optionalRecord,
  options,
  readOn,
  record,
  slice,
  textOrNull,
} from "./rules.ts"
import { socialRules } from "./social-use-cases.ts"
import { visitFields } from "./visit-fields.ts"

const origin = anyText("origin")
const listening = (who: string) => [who, "session_id", "expires_at"]
const session = record(TrackingSessionReference.fields.session_id)

/** How the arguments of each use case are read: as HTTP reads parameters, query and body of its route, to which a test holds this list. */
export const inputRules = {
  ...accountRules,
  ...economyRules,
  ...progressRules,
  ...socialRules,
  content: contentRules,
  analytics: {
    hours: [id, options({})],
    overview: [id, options({})],
    retention: [id, count("weeks", 1, 26, 8)],
    sessions: [id, options({})],
  },
  deadLetters: {
    find: [id, id],
    list: [id, readOn(ListCursor, [], { status: DeadLetterStatus })],
    remove: [id, id],
    retry: [id, id],
    retryAll: [id, optionalRecord(RetryLetters)],
  },
  deepLinks: {
    ...{ androidApp: [anyText("host")], appleApp: [anyText("host")] },
    clicksByDay: [id, id, count("days", 1, 366, 30)],
    config: [id],
    configure: [id, record(DeepLinkConfigChanges)],
    create: [id, record(NewTrackedLink)],
    find: [id, id],
    list: [id, readOn(ListCursor)],
    remove: [id, id],
    resolve: [id, id, anyText("slug"), optionalChecked("platform", Platform, "unknown")],
    stats: [id, id],
    update: [id, id, record(TrackedLinkChanges)],
    visit: [options({}, [], visitFields, Object.keys(visitFields))],
    visitOf: [id, options({}, [], visitFields, Object.keys(visitFields))],
  },
  events: {
    count: [id, options({}, [], { group_by: EventGroup })],
    ofUser: [id, id, slice],
    record: [id],
    recordOwn: [id, id],
    recordOwnWithEffects: [id, id],
    recordWithEffects: [id],
    tail: [id, options({ limit: 100 }, ["user_id"], { cursor: position(EventCursor) })],
  },
  exports: {
    records: [id, id, options({ limit: 50 }, [], { section: Text, cursor: Text }, ["section"])],
    reviews: [
      id,
      options({ format: "csv", rating_min: 1, rating_max: 5 }, [], { ...reviewFields, format: ExportFormat }),
    ],
    user: [id, id],
    userEvents: [id, options({ format: "csv" }, ["user_id"], { format: ExportFormat }, ["user_id"])],
    users: [id, options({ format: "csv" }, ["segment_id"], { format: ExportFormat })],
  },
  live: {
    ofProject: [
      id,
      options({}, ["user_id"], { developer_id: Text, session_id: Text }, listening("developer_id")),
      textOrNull("after"),
    ],
    ofUser: [id, options({}, [], { user_id: Text, session_id: Text }, listening("user_id")), textOrNull("after")],
  },
  media: {
    complete: [id, id, origin],
    completeOwn: [id, id, id, origin],
    create: [id, record(NewAsset), origin],
    createOwn: [id, id, record(NewClientAsset), origin],
    folders: { create: [id, record(NewFolder)], list: [id, optionalId, slice], remove: [id, id] },
    list: [id, options({}, ["app_user_id", "folder_id"]), readOn(ListCursor), origin],
    remove: [id, id],
    removeOwn: [id, id, id],
  },
  pushCampaigns: {
    cancel: [id, id],
    create: [id],
    get: [id, id],
    list: [id, slice],
    preview: [id],
    remove: [id, id],
    schedule: [id, id],
    send: [id, id],
    test: [id],
    update: [id, id],
  },
  pushDeliveries: { list: [id, id, optionalChecked("status", DeliveryStatus, null), readOn(IdCursor)] },
  pushReceipts: { receive: [id, id, record(PushReceipt)] },
  pushTokens: { register: [id, id, record(NewPushToken)], remove: [id, id, anyText("token")] },
  segments: {
    create: [id, record(NewSegment)],
    evaluate: [id, id],
    explain: [id, id, id],
    get: [id, id],
    list: [id, slice],
    preview: [id],
    remove: [id, id],
    update: [id, id, record(SegmentChanges)],
  },
  trackingSessions: {
    end: [id, id, session],
    heartbeat: [id, id, session],
    start: [id, id, record(NewTrackingSession)],
  },
  users: {
    bulkUpdate: [id],
    change: [id, id, record(AdminUserChanges)],
    get: [id, id],
    list: [id, readOn(UserCursor, ["segment_id"])],
    me: [id, id],
    remove: [id, id],
    update: [id, id, record(ProfileChanges)],
  },
  waitingWork: { find: [id] },
  webhooks: {
    entry: [id, id],
    inbox: [id, readOn(ListCursor, ["user_id"], { provider: WebhookProvider, status: InboxStatus })],
    replay: [id, id],
    test: [id, checked("provider", WebhookProvider)],
  },
} as const
