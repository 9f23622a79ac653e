import { NotFound } from "@hearth/core"
import { isLoopback } from "@hearth/core/limits"
import type { AddressReader } from "../request/address.ts"
import { refuse } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"

// The values of `Host` that are answered. They keep out pages whose own name resolves to this machine (DNS rebinding).
const loopbackHost = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Answers callers on this machine only. Others get 404. */
export const answerHere =
  (readAddress: AddressReader, responder: Responder): Responder =>
  (event, context) => {
    const { req, url } = event
    const address = readAddress(req.ip ?? "", req.headers.get("x-forwarded-for"))
    const isHere = loopbackHost.test(req.headers.get("host") ?? url.host) && (address === "" || isLoopback(address))
    return isHere ? responder(event, context) : refuse(context, new NotFound())
  }
