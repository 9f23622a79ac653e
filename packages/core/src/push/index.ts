export {
  CampaignChanges,
  CampaignPreview,
  CampaignSending,
  CampaignStatus,
  CampaignView,
  CampaignWithStats,
  NewCampaign,
  PushCampaign,
  PushOptions,
  PushStats,
} from "./campaign.ts"
export { type CampaignRuns, campaignsJob, makeCampaignWorkflow, type SendDue } from "./campaign-workflow.ts"
export { makeCampaigns } from "./campaigns.ts"
export type {
  Audience,
  ClaimedDelivery,
  ClaimOptions,
  DeadDevice,
  DeliveryResult,
  PushDeliveries,
  PushStatsRows,
  Receipt,
  StatsChanges,
  ZoneFiring,
} from "./deliveries/deliveries-port.ts"
export { DeliveryStatus, DeliveryView, PushDelivery, PushReceipt, ReceiptAnswer } from "./deliveries/delivery.ts"
export { fillText } from "./deliveries/fill-text.ts"
export type { PushAccount, PushGateway, PushMessage, PushOutcome } from "./deliveries/gateway.ts"
export * from "./deliveries/payload.ts"
export { makeReadDeliveries } from "./deliveries/read-deliveries.ts"
export { makePushReceipts } from "./deliveries/receipts.ts"
export {
  AlreadyScheduled,
  AlreadySent,
  ConflictingSchedule,
  EmptyUpdate,
  FireAtInPast,
  InvalidCampaignId,
  InvalidData,
  InvalidDeliveryMode,
  InvalidFireAt,
  InvalidLocalDate,
  InvalidLocalTime,
  InvalidScheduledAt,
  InvalidSegmentId,
  MissingBody,
  MissingProvider,
  MissingTarget,
  MissingTitle,
  NoActiveToken,
  NoToken,
  PushNotSent,
  PushRefused,
  RescheduleFailed,
  ScheduledAtInPast,
  ScheduleFailed,
  SendFailed,
} from "./failures.ts"
export { findLocalInstant, findZoneTimes, isTooLate, nameZone } from "./local-time.ts"
export type { AudienceQuery, AudienceZone, PushAudiences, PushCampaigns, PushDb, PushTokens } from "./port.ts"
export { NewPushToken, OwnPushToken, PushPlatform, PushProvider, PushToken } from "./push-token.ts"
export { makePushTokens } from "./push-tokens.ts"
export { makeForgetSchedules, makeSchedulePush, PushSchedule, PushScheduled } from "./schedule-push.ts"
export { pushDeliveriesSection, pushTokensSection } from "./sections.ts"
export { makeTestPush, PushTest, PushTested } from "./test-push.ts"
export { makePushWork } from "./work.ts"
