import { InvalidInput, InvalidToken, Text } from "@hearth/core"
import { NewPushToken, OwnPushToken } from "@hearth/core/push"
import { created, deleted } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Decisions D and H4.1: the devices of users. */
export const pushTokenRoutes = [
  route("POST", "/client/push/tokens", {
    id: "client.push.tokens.register",
    summary: "Registers a device of the caller for pushes, or the same one again",
    description:
      "Call it at every start of the app: the platform may have changed the token. A token belongs to the user who registered it last.",
    access: "client",
    body: NewPushToken,
    errors: [InvalidInput, InvalidToken],
    returns: created(OwnPushToken),
    run: ({ core, caller, body }) => core.pushTokens.register(caller.project_id, caller.user_id, body),
  }),
  route("DELETE", "/client/push/tokens/:token", {
    id: "client.push.tokens.remove",
    summary: "Forgets a device of the caller; the token is percent-encoded",
    description: "Call it before the user signs out.",
    access: "client",
    params: { token: Text },
    errors: [InvalidToken],
    returns: deleted,
    run: ({ core, caller, params }) => core.pushTokens.remove(caller.project_id, caller.user_id, params.token),
  }),
]
