import type { Log } from "@hearth/adapters"
import type { Refused } from "@hearth/core/refusals"
import type { Refusal } from "../response/errors.ts"
import { makeKeepSentence } from "./keep-sentence.ts"
import type { RequestContext } from "./request-context.ts"
import type { Route } from "./route.ts"

/** Notes a refused call of this path, which is a pattern. */
export type NoteRefusal = (context: RequestContext, refusal: Refusal, path: string, status: number) => void

/**
 * Makes what notes refused calls of projects: by the pattern of the route, never by the path, and with a sentence that repeats nothing that
 * the caller has sent. It never fails.
 */
export const makeNoteRefusal = <Core>(
  routes: ReadonlyArray<Route<Core>>,
  note: (refused: Refused) => void,
  log: Log,
): NoteRefusal => {
  const keepSentence = makeKeepSentence(routes)
  return ({ method, requestId, facts, caller }, refusal, path, status) => {
    const project_id = facts["project_id"]
    if (typeof project_id !== "string") return
    try {
      const message = keepSentence(refusal)
      const who = caller ?? "unknown"
      note({ project_id, caller: who, method, path, status, code: refusal.code, message, request_id: requestId })
    } catch (cause) {
      log("error", "refused call was not noted", { request_id: requestId, cause: String(cause) })
    }
  }
}
