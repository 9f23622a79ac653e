import { Result } from "effect"
import type { JsonObject } from "../schema.ts"
import { readTree } from "../segments/parse-rules.ts"
import { eventRules, leavesOf, mentionsStreaks, type RuleGroup } from "../segments/rules.ts"
import { InvalidCriteria } from "./failures.ts"

// As JSON, with what means nothing. A worker reads the criteria of all achievements of a project at once.
const longestCriteria = 65_536

/** Parses criteria: a tree of rules, or a single one [G1.1]. The failure lists the issues, each with its path from `criteria` on. */
export const parseCriteria = (value: unknown): Result.Result<RuleGroup, InvalidCriteria> => {
  const tree = Result.mapError(readTree(value, "criteria", { takesRule: true }), (wrong) => new InvalidCriteria(wrong))
  if (Result.isFailure(tree) || JSON.stringify(value).length <= longestCriteria) return tree
  const message = `must not be longer than ${longestCriteria} characters as JSON`
  return Result.fail(new InvalidCriteria({ issues: [{ path: "criteria", message }] }))
}

/** Criteria as they are matched. */
export interface Criteria {
  readonly rules: RuleGroup
  /** The names of the events that they mention; with none they are considered on any event [G1.2]. */
  readonly events: ReadonlySet<string>
  /** Whether they ask for other achievements. */
  readonly dependsOnUnlocks: boolean
  /** Whether they ask for streaks, which change as time passes. */
  readonly dependsOnStreaks: boolean
}

const describeCriteria = (value: unknown): Criteria | null => {
  const parsed = parseCriteria(value)
  if (Result.isFailure(parsed)) return null
  const rules = parsed.success
  return {
    rules,
    events: new Set(eventRules(rules).map(({ event }) => event)),
    dependsOnUnlocks: leavesOf(rules).some((leaf) => "field" in leaf && leaf.field.startsWith("achievements.")),
    dependsOnStreaks: mentionsStreaks(rules),
  }
}

// Characters of criteria that are remembered: a worker that serves many projects begins anew now and then.
const mostRemembered = 4_000_000

/** Reads the criteria of stored achievements, and remembers them by their text. Null for what a newer release has stored. */
export const makeCriteriaReader = () => {
  const known = new Map<string, Criteria | null>()
  let remembered = 0
  return ({ criteria }: { readonly criteria: JsonObject }): Criteria | null => {
    const text = JSON.stringify(criteria)
    const before = known.get(text)
    if (before !== undefined) return before
    remembered += text.length
    if (remembered > mostRemembered) {
      known.clear()
      remembered = text.length
    }
    const described = describeCriteria(criteria)
    known.set(text, described)
    return described
  }
}

/** Reads the criteria of stored achievements. */
export type ReadCriteria = ReturnType<typeof makeCriteriaReader>
