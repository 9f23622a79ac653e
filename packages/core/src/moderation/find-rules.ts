import { Effect, Result } from "effect"
import { type LimitLookups, limitLookups } from "../access/limit-lookups.ts"
import { makeTtlCache } from "../access/ttl-cache.ts"
import type { TenantFailure } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import { type CompiledRules, compileRules, type ReadyRule } from "./compile-rules.ts"
import { parseConfig } from "./parse-config.ts"
import type { Patterns } from "./patterns.ts"
import type { ModerationDb } from "./port.ts"
import type { ModerationRuleRow } from "./rule.ts"

// A change is heard of sooner. This bounds for how long a change counts nowhere else whose process died while it told.
const freshMillis = 5_000
// What all compiled rules of a process may come to hold. The projects that were not asked for the longest are compiled again.
const maxBytes = 256 * 2 ** 20

/** What rules are found with. */
export type FindRulesPorts = Pick<Ports<ModerationDb, unknown>, "clock" | "patterns" | "revocations" | "tenants">

/** Compiled rules, and of which rows they were made. */
interface Known {
  readonly version: string
  /** The number of the look at the rows: of two the later one has the greater. */
  readonly look: number
  readonly rules: CompiledRules
}

/** Reads rules, the oldest first. One that was valid for an earlier release only is left out. */
const readRules = Effect.fnUntraced(function* (rows: ReadonlyArray<ModerationRuleRow>, patterns: Patterns) {
  const ready: Array<ReadyRule> = []
  for (const { id, rule_type, config } of rows) {
    const parsed = parseConfig(rule_type, config, patterns)
    if (Result.isSuccess(parsed)) ready.push({ id, config: parsed.success })
    yield* Effect.yieldNow
  }
  return ready
})

const versionOf = (rows: ReadonlyArray<ModerationRuleRow>) =>
  rows.map(({ id, revision }) => `${id}.${revision}`).join(" ")

/** The compiled rules of projects, up to a size in all. */
const makeStore = () => {
  const known = new Map<string, Known>()
  let bytes = 0
  const remove = (projectId: string) => {
    bytes -= known.get(projectId)?.rules.bytes ?? 0
    known.delete(projectId)
  }
  return {
    find: (projectId: string) => {
      const found = known.get(projectId)
      if (found === undefined) return undefined
      known.delete(projectId)
      known.set(projectId, found)
      return found
    },
    /** Keeps rules, unless what is kept comes of a later look at them. */
    keep: (projectId: string, made: Known) => {
      if ((known.get(projectId)?.look ?? 0) > made.look) return
      remove(projectId)
      known.set(projectId, made)
      bytes += made.rules.bytes
      for (const oldest of known.keys()) {
        if (bytes <= maxBytes || oldest === projectId) break
        remove(oldest)
      }
    },
    remove,
  }
}

/**
 * Finds the active rules of a project, compiled; null where it has none. They are remembered, and read again from the moment a
 * change is heard of: at once in this process, within a second in others.
 */
export const makeFindRules = ({ clock, patterns, revocations, tenants }: FindRulesPorts, limit: LimitLookups) => {
  const store = makeStore()
  // Of a project one match that may take long at once: however many texts wait, others have their turn after each.
  const inLine = limitLookups(1)
  let looks = 0

  const compile = Effect.fnUntraced(function* (projectId: string) {
    looks += 1
    const look = looks
    const rows = yield* tenants.read(projectId, (db) => db.moderationRules.active())
    const ready = yield* readRules(rows, patterns)
    const rules = yield* compileRules(ready, { clock, patterns }, (match) => inLine(projectId, match))
    const made = { look, version: versionOf(rows), rules }
    store.keep(projectId, made)
    return made
  })
  // Looks only whether anything has changed: compiling again would cost more, and forget what matching has learnt.
  const lookup = Effect.fnUntraced(function* (projectId: string) {
    const version = yield* tenants.read(projectId, (db) => db.moderationRules.activeVersion())
    if (version === "") store.remove(projectId)
    else if (store.find(projectId)?.version !== version) return (yield* compile(projectId)).version
    return version
  })
  const versions = makeTtlCache({
    ...{ clock, revocations, millis: freshMillis },
    lookup: (projectId) => limit(projectId, lookup(projectId)),
    dependsOn: (projectId) => [projectId],
  })

  return Effect.fnUntraced(function* (projectId: string): Effect.fn.Return<CompiledRules | null, TenantFailure> {
    if ((yield* versions.get(projectId)) === "") return null
    return (store.find(projectId) ?? (yield* compile(projectId))).rules
  })
}
