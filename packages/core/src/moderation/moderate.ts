import { Effect, Option } from "effect"
import { type LimitLookups, limitLookups } from "../access/limit-lookups.ts"
import type { Ports } from "../ports/ports.ts"
import { ContentRejected, type Findings, type Moderate } from "./content.ts"
import { type FindRulesPorts, makeFindRules } from "./find-rules.ts"
import type { ModerationDb } from "./port.ts"

const nothing: Findings = { action: null, rule_id: null, reason: null, excerpt: "" }

type ModeratePorts = FindRulesPorts & Pick<Ports, "ids">

/** Moderates what clients write [I6.1, I6.2]. Make it once: it remembers the rules. */
export const makeModerate = (ports: ModeratePorts, limit: LimitLookups = limitLookups()): Moderate<ModerationDb> => {
  const { clock, ids } = ports
  const findRules = makeFindRules(ports, limit)

  return {
    check: Effect.fnUntraced(function* (projectId, written) {
      if ([...written.texts, ...written.urls].every((text) => text === null || text === "")) return nothing
      const rules = yield* findRules(projectId)
      if (rules === null) return nothing
      const match = yield* rules.match(written)
      if (match === null) return nothing
      const { action, rule_id, rule_type } = match
      if (action === "reject") return yield* new ContentRejected()
      return { action, rule_id, reason: rule_type, excerpt: yield* rules.excerpt(match) }
    }),

    record: Effect.fnUntraced(function* (db, findings, content, before) {
      const { action, reason, rule_id, excerpt } = findings
      const state = before ?? "shown"
      if (action === null || reason === null) return state
      const { content_type, content_id, app_user_id } = content
      const item = { content_type, content_id, app_user_id, reason, rule_id, excerpt, id: ids.uuid() }
      const isQueued = yield* db.moderationQueue.add({ ...item, created_at: clock.now() })
      return isQueued && action === "hold" && state === "shown" ? "held" : state
    }),

    isTrusted: (db, userId) =>
      Effect.map(db.trustLevels.find(userId), (trust) => Option.getOrNull(trust)?.auto_approve ?? false),

    noteChange: (db, content_type, content_id) => db.moderationQueue.forgetText({ content_type, content_id }),
  }
}
