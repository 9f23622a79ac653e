import type { KeptMail } from "@hearth/adapters"
import { NotFound } from "@hearth/core"
import { content, refuse } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"

// The values of `Host` that are answered. They keep out pages whose own name resolves to this machine (DNS rebinding).
const loopbackHost = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** `GET /dev/outbox`: the mails that were kept instead of sent, the newest first, for callers on this machine [B11]. */
export const makeOutboxResponder =
  (list: () => ReadonlyArray<KeptMail>): Responder =>
  ({ req, url }, context) =>
    loopbackHost.test(req.headers.get("host") ?? url.host)
      ? content(context, 200, "application/json", JSON.stringify({ data: list() }))
      : refuse(context, new NotFound())
