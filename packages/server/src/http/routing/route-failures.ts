import {
  Forbidden,
  InvalidInput,
  InvalidToken,
  RateLimitExceeded,
  ServiceUnavailable,
  TenantBusy,
  TenantUnavailable,
  Unauthorized,
} from "@hearth/core"
import { paramFailure, queryFailure } from "../request/inputs.ts"
import { makeInternalError, type Refusal, statusOf } from "../response/errors.ts"
import { PayloadTooLarge, UnknownParameter, UnsupportedMediaType } from "../response/failures.ts"
import { type AccessKind, isInPlane, isUserWrite, paramNames, type Route } from "./route.ts"

/** A failure as the reference shows it. */
type Shown = Omit<Refusal, "message" | "details"> & { readonly sentence: string }

const listAccessFailures = (access: AccessKind, isCounted: boolean, inProject: boolean): ReadonlyArray<Shown> => {
  if (access === "client-key") return [Unauthorized]
  // Calls of a user that write are counted [B14].
  if (access === "client") return [Unauthorized, InvalidToken, ...(isCounted ? [RateLimitExceeded] : [])]
  if (access === "developer") return inProject ? [Unauthorized, Forbidden] : [Unauthorized]
  return []
}

const listInputFailures = <Core>(route: Route<Core>): ReadonlyArray<Shown> => {
  const { path, options } = route
  const { access, malformed, missing = {}, query = {}, headers = {}, body, invalid = InvalidInput } = options
  // A malformed project id is refused earlier, as a project of which the caller is no member [A6].
  const params = paramNames(path).filter((name) => access !== "developer" || name !== "projectId")
  return [
    ...params.map((name) => paramFailure(name, malformed)),
    ...(Object.keys(query).length === 0
      ? []
      : [InvalidInput, ...Object.values(missing), ...Object.keys(query).map((key) => queryFailure(key, malformed))]),
    ...(Object.keys(headers).length === 0 ? [] : [InvalidInput]),
    ...(body === undefined ? [] : [PayloadTooLarge, invalid]),
    ...(body === undefined || body === "raw" ? [] : [UnsupportedMediaType]),
    ...(isInPlane(route) ? [UnknownParameter] : []),
  ]
}

/** Every error that a route can answer, by status: those it declares, and those of its access, inputs and limits [A3]. Codes are unique within a status. */
export const routeFailures = <Core>(route: Route<Core>): ReadonlyMap<number, ReadonlyMap<string, string>> => {
  const { access, errors = [], limits = [], fault } = route.options
  const { code, kind, message } = makeInternalError(fault)
  const all: ReadonlyArray<Shown> = [
    ...listAccessFailures(access, isUserWrite(route), paramNames(route.path).includes("projectId")),
    ...(limits.length === 0 ? [] : [RateLimitExceeded]),
    ...listInputFailures(route),
    ...errors,
    TenantUnavailable,
    TenantBusy,
    ServiceUnavailable,
    { code, kind, sentence: message },
  ]
  const byStatus = new Map<number, Map<string, string>>()
  for (const failure of all) {
    const status = statusOf(failure)
    const codes = byStatus.get(status) ?? new Map<string, string>()
    byStatus.set(status, codes.set(failure.code, failure.sentence))
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}
