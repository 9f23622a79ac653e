import { AnonymousResult } from "@hearth/core"
import { created } from "../http/answers.ts"
import { route } from "./route.ts"

/** Spec: client plane, authentication. */
export const clientAuth = [
  route("POST", "/client/auth/anonymous", {
    summary: "Makes an anonymous user and signs it in",
    access: "client-key",
    returns: created(AnonymousResult),
    fault: "CREATE_FAILED",
    run: ({ core, caller }) => core.auth.anonymous(caller.project_id),
  }),
]
