import { NotFound } from "@hearth/core"
import { isLoopback } from "@hearth/core/limits"
import type { AddressReader } from "../request/address.ts"
import { content, refuse } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"

// The values of `Host` that are answered. They keep out pages whose own name resolves to this machine (DNS rebinding).
const loopbackHost = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Answers what was kept instead of sent, the newest first, to callers on this machine: mails at `GET /dev/outbox` [B11], pushes at
 * `GET /dev/push` [H4.2]. Others get 404.
 */
export const makeKeptResponder =
  (list: () => ReadonlyArray<unknown>, readAddress: AddressReader): Responder =>
  ({ req, url }, context) => {
    const address = readAddress(req.ip ?? "", req.headers.get("x-forwarded-for"))
    const isHere = loopbackHost.test(req.headers.get("host") ?? url.host) && (address === "" || isLoopback(address))
    return isHere
      ? content(context, 200, "application/json", JSON.stringify({ data: list() }))
      : refuse(context, new NotFound())
  }
