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
    access: "client",
    errors: [InvalidInput, InvalidToken, Blocked, UserNotFound, QuotaExceeded],
    returns: upserted(RelatedUser),
    run: ({ core, caller, params }) => core.relations.follow(caller.project_id, caller.user_id, params.userId),
  }),
  route("DELETE", "/client/follows/:userId", {
    id: "client.follows.unfollow",
    summary: "Follows a user no longer",
    access: "client",
    errors: [InvalidInput, UserNotFound],
    returns: deleted,
    run: ({ core, caller, params }) => core.relations.unfollow(caller.project_id, caller.user_id, params.userId),
  }),
  route("GET", "/client/follows", {
    id: "client.follows.list",
    summary: "Lists whom the caller follows, or who follows the caller, the latest first",
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
    access: "client",
    errors: [InvalidInput, InvalidToken, UserNotFound, QuotaExceeded],
    returns: upserted(RelatedUser),
    run: ({ core, caller, params }) => core.relations.block(caller.project_id, caller.user_id, params.userId),
  }),
  route("DELETE", "/client/blocks/:userId", {
    id: "client.blocks.unblock",
    summary: "Ends a block of the caller's",
    access: "client",
    returns: deleted,
    run: ({ core, caller, params }) => core.relations.unblock(caller.project_id, caller.user_id, params.userId),
  }),
  route("GET", "/client/blocks", {
    id: "client.blocks.list",
    summary: "Lists whom the caller has blocked, the latest first",
    access: "client",
    query: paging(),
    returns: pageOf(RelatedUser),
    run: ({ core, caller, query }) => core.relations.blocks(caller.project_id, caller.user_id, query),
  }),
]

/** Relations between users. */
export const relationRoutes = [...follows, ...blocks]
