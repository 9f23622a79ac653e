import { InvalidInput, InvalidToken, ListCursor, NotFound, RateLimitExceeded } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import {
  AlreadyRedeemed,
  CodeExhausted,
  CodeInactive,
  CodeNotFound,
  NewReferralCode,
  NewReferralProgram,
  OwnReferralCode,
  RedeemRequest,
  ReferralClaim,
  ReferralCode,
  ReferralCodeChanges,
  ReferralCodeExists,
  ReferralNotEligible,
  ReferralProgram,
  ReferralStats,
  SelfReferral,
} from "@hearth/core/referrals"
import { InvalidReward, RewardInput } from "@hearth/core/rewards"
import { Schema } from "effect"
import { paging, readsOn } from "../http/request/query.ts"
import { created, deleted, listPageOf, ok } from "../http/response/answers.ts"
import { route } from "./route.ts"

// Rewards in the reference. The use cases check them, with a code of their own.
const reward = Schema.optionalKey(RewardInput)
const rewards = { reward_referrer: reward, reward_referee: reward }
const newCodeShape = Schema.Struct({ ...NewReferralCode.fields, ...rewards }).annotate({
  identifier: "NewReferralCode",
})
const changesShape = Schema.Struct({ ...ReferralCodeChanges.fields, ...rewards }).annotate({
  identifier: "ReferralCodeChanges",
})
const newProgramShape = Schema.Struct({ ...NewReferralProgram.fields, ...rewards }).annotate({
  identifier: "NewReferralProgram",
})

/** Decisions D: users who bring others. */
const clientReferrals = [
  route("GET", "/client/referrals/my-code", {
    id: "client.referrals.myCode",
    summary: "Shows the caller's own code; the first call makes it",
    description: "Show it for the user to share. `total_claims` counts who has redeemed it.",
    access: "client",
    errors: [InvalidToken],
    returns: ok(OwnReferralCode),
    run: ({ core, caller }) => core.referrals.own(caller.project_id, caller.user_id),
  }),
  route("POST", "/client/referrals/redeem", {
    id: "client.referrals.redeem",
    summary: "Redeems a code, once per user: both sides are given their rewards",
    description: "Upper and lower case are the same. Nobody redeems an own code, or a second one.",
    access: "client",
    body: RedeemRequest,
    errors: [
      InvalidInput,
      InvalidToken,
      CodeNotFound,
      CodeInactive,
      ReferralNotEligible,
      SelfReferral,
      AlreadyRedeemed,
      CodeExhausted,
      RateLimitExceeded,
    ],
    returns: created(ReferralClaim),
    run: ({ core, caller, body }) => core.referrals.redeem(caller.project_id, caller.user_id, body.code),
  }),
]

/** Spec: admin plane, referrals. */
const adminReferrals = [
  route("POST", "/admin/projects/:projectId/referrals", {
    id: "referrals.create",
    summary: "Makes a code without an owner",
    description:
      "A promotion code: only who redeems it is rewarded. Without `code` one is made without letters that look alike.",
    access: "developer",
    body: NewReferralCode,
    bodyShape: newCodeShape,
    optionalBody: true,
    errors: [InvalidInput, InvalidReward, ReferralCodeExists],
    returns: created(ReferralCode),
    run: ({ core, params, body }) => core.referrals.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/referrals", {
    id: "referrals.list",
    summary: "Lists the codes, those of users too, the newest first",
    description:
      "Codes of users have an `app_user_id`. With `cursor=start`, and the `next_cursor` of each answer from then on, the list is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    returns: listPageOf(ReferralCode, ListCursor),
    run: ({ core, params, query }) => core.referrals.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/referrals/program", {
    id: "referrals.program.get",
    summary: "Shows what the codes of users are made with, and who may redeem them",
    description: "Empty rewards until it is set for the first time.",
    access: "developer",
    returns: ok(ReferralProgram),
    run: ({ core, params }) => core.referrals.program(params.projectId),
  }),
  route("PUT", "/admin/projects/:projectId/referrals/program", {
    id: "referrals.program.replace",
    summary: "Replaces what the codes of users are made with from now on, and who may redeem them",
    description: "Send all of it. Codes that users have already keep what they were made with.",
    access: "developer",
    body: NewReferralProgram,
    bodyShape: newProgramShape,
    errors: [InvalidInput, InvalidReward],
    returns: ok(ReferralProgram),
    run: ({ core, params, body }) => core.referrals.saveProgram(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/referrals/:codeId/stats", {
    id: "referrals.stats",
    summary: "Shows who has redeemed a code, the newest first",
    description:
      "The code itself, how often it was redeemed, and by whom. With `cursor=start`, and the `next_cursor` of each answer from then on, all claims are read, however many there are.",
    access: "developer",
    query: { ...paging(1_000), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    errors: [NotFound],
    returns: ok(ReferralStats),
    run: ({ core, params, query }) => core.referrals.stats(params.projectId, params.codeId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/referrals/:codeId", {
    id: "referrals.update",
    summary: "Changes a code; claims that were made stay as they are",
    description: "Only the keys that are sent change.",
    access: "developer",
    body: ReferralCodeChanges,
    bodyShape: changesShape,
    errors: [InvalidInput, InvalidReward, NotFound],
    returns: ok(ReferralCode),
    run: ({ core, params, body }) => core.referrals.update(params.projectId, params.codeId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/referrals/:codeId", {
    id: "referrals.delete",
    summary: "Removes a code; who has redeemed it has still redeemed one",
    description: "It can be redeemed no more. Set `is_active` to false where it should come back.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.referrals.remove(params.projectId, params.codeId),
  }),
]

/** Users who bring others, and what they are given for it. */
export const referralRoutes = [...clientReferrals, ...adminReferrals]
