import { InvalidInput, InvalidToken, QuotaExceeded } from "@hearth/core"
import { Blocked, FollowDirection, RelatedUser } from "@hearth/core/relations"
import { UserNotFound } from "@hearth/core/users"
import { Effect, Schema } from "effect"
import { paging } from "../../http/request/query.ts"
import { deleted, pageOf, upserted } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** I3.2: whom users follow. */
const follows = [
  route("POST", "/client/follows/:userId", {
    id: "client.follows.follow",
    summary: "Follows a user; the same again where the caller does already",
    description: "Their feed items are then in the scope of those who are followed.",
    access: "client",
    errors: [InvalidInput, InvalidToken, Blocked, UserNotFound, QuotaExceeded],
    returns: upserted(RelatedUser),
    run: ({ core, caller, params }) => core.relations.follow(caller.project_id, caller.user_id, params.userId),
  }),
  route("DELETE", "/client/follows/:userId", {
    id: "client.follows.unfollow",
    summary: "Follows a user no longer",
    description: "Nobody is told, and the call may be repeated.",
    access: "client",
    errors: [InvalidInput, UserNotFound],
    returns: deleted,
    run: ({ core, caller, params }) => core.relations.unfollow(caller.project_id, caller.user_id, params.userId),
  }),
  route("GET", "/client/follows", {
    id: "client.follows.list",
    summary: "Lists whom the caller follows, or who follows the caller, the latest first",
    description: "`direction` says which of the two.",
    access: "client",
    query: {
      ...paging(),
      direction: FollowDirection.pipe(Schema.withDecodingDefaultKey(Effect.succeed("following" as const))),
    },
    errors: [InvalidInput],
    returns: pageOf(RelatedUser),
    run: ({ core, caller, query: { direction, ...slice } }) =>
      core.relations.follows(caller.project_id, caller.user_id, direction, slice),
  }),
]

/** I4.3: whom users have blocked. */
const blocks = [
  route("POST", "/client/blocks/:userId", {
    id: "client.blocks.block",
    summary: "Blocks a user, which ends the follows between the two; the same again where the caller has already",
    description: "Neither sees the other in feeds, and neither can write to the other directly.",
    access: "client",
    errors: [InvalidInput, InvalidToken, UserNotFound, QuotaExceeded],
    returns: upserted(RelatedUser),
    run: ({ core, caller, params }) => core.relations.block(caller.project_id, caller.user_id, params.userId),
  }),
  route("DELETE", "/client/blocks/:userId", {
    id: "client.blocks.unblock",
    summary: "Ends a block of the caller's",
    description: "Follows of before do not come back.",
    access: "client",
    returns: deleted,
    run: ({ core, caller, params }) => core.relations.unblock(caller.project_id, caller.user_id, params.userId),
  }),
  route("GET", "/client/blocks", {
    id: "client.blocks.list",
    summary: "Lists whom the caller has blocked, the latest first",
    description: "For a page where blocks can be ended.",
    access: "client",
    query: paging(),
    returns: pageOf(RelatedUser),
    run: ({ core, caller, query }) => core.relations.blocks(caller.project_id, caller.user_id, query),
  }),
]

/** Relations between users. */
export const relationRoutes = [...follows, ...blocks]
