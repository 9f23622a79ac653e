import { NotFound } from "@hearth/core"
import { isLoopback } from "@hearth/core/limits"
import type { AddressReader } from "../request/address.ts"
import { refuse } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"

// The values of `Host` that are answered. They keep out pages whose own name resolves to this machine (DNS rebinding).
const loopbackHost = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Answers callers on this machine only. Others get 404. Whatever TRUST_PROXY says, all of `X-Forwarded-For` must be of this machine: a proxy
 * or tunnel that runs here speaks for callers who are not, and often writes its own `Host`.
 */
export const answerHere =
  (readAddress: AddressReader, responder: Responder): Responder =>
  (event, context) => {
    const { req, url } = event
    const forwarded = req.headers.get("x-forwarded-for")
    const hops = forwarded === null ? [] : forwarded.split(",").map((hop) => readAddress(hop.trim(), null))
    const address = readAddress(req.ip ?? "", null)
    const isHere = loopbackHost.test(req.headers.get("host") ?? url.host) && (address === "" || isLoopback(address))
    return isHere && hops.every(isLoopback) ? responder(event, context) : refuse(context, new NotFound())
  }
