import { Effect } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { WrittenText } from "./content.ts"
import { listExcerpts } from "./excerpt.ts"
import { type KeywordMatcher, makeKeywordMatcher } from "./keywords.ts"
import { findHosts, hostOfAddress, listDomains } from "./links.ts"
import { normalizeText } from "./normalize.ts"
import type { RuleConfig } from "./parse-config.ts"
import type { PatternGroup, Patterns } from "./patterns.ts"
import { type RuleAction, type RuleType, ruleActions } from "./rule.ts"

/** A rule to compile. */
export interface ReadyRule {
  readonly id: string
  readonly config: RuleConfig
}

/** What was found: the rule whose action is the strongest, and the text that it matches. */
export interface RuleMatch {
  readonly rule_id: string
  readonly rule_type: RuleType
  readonly action: RuleAction
  readonly text: string
}

/** The rules of a project, ready to read texts. */
export interface CompiledRules {
  /** The strongest rule that matches; of equals the one that is older. Null where none matches. */
  match(written: WrittenText): Effect.Effect<RuleMatch | null>
  /** What the queue shows of a match: the first part of the text in which the rule matches, else its beginning [I6.2]. */
  excerpt(match: RuleMatch): Effect.Effect<string>
  /** About how many bytes it may come to hold. */
  readonly bytes: number
}

type Rules<Type extends RuleType> = ReadonlyArray<readonly [number, Extract<RuleConfig, { readonly rule_type: Type }>]>

const ofType = <Type extends RuleType>(rules: ReadonlyArray<ReadyRule>, type: Type): Rules<Type> =>
  rules.flatMap(({ config }, at) =>
    config.rule_type === type ? [[at, config as Rules<Type>[number][1]] as const] : [],
  )

const compileKeywords = (rules: ReadonlyArray<ReadyRule>): KeywordMatcher =>
  makeKeywordMatcher(
    ofType(rules, "keyword").flatMap(([rule, { keywords, match }]) => keywords.map((text) => ({ text, rule, match }))),
  )

const compilePatterns = Effect.fnUntraced(function* (rules: ReadonlyArray<ReadyRule>, patterns: Patterns) {
  const wanted = ofType(rules, "regex")
  const groups: Array<PatternGroup> = []
  for (const group of patterns.compile(wanted.map(([, { pattern }]) => pattern))) {
    groups.push(group)
    yield* Effect.yieldNow
  }
  const ruleAt = (at: number) => wanted[at]?.[0] ?? 0
  return groups.map((group) => ({
    bytes: group.bytes,
    steps: group.steps,
    match: (text: string) => group.match(text).map(ruleAt),
    matchApart: (text: string) => Effect.map(group.matchApart(text), (found) => found.map(ruleAt)),
  }))
})

// What a domain takes beside its characters, and each list that it is in.
const [domainBytes, entryBytes] = [130, 8]

/** By domain, the rules that have it in a list. */
const groupByDomain = (lists: ReadonlyArray<readonly [rule: number, domains: ReadonlySet<string>]>) => {
  const rulesOf = new Map<string, Array<number>>()
  let bytes = 0
  for (const [rule, domains] of lists)
    for (const domain of domains) {
      const known = rulesOf.get(domain)
      if (known === undefined) rulesOf.set(domain, [rule])
      else known.push(rule)
      bytes += entryBytes + (known === undefined ? domain.length + domainBytes : 0)
    }
  return { rulesOf, bytes }
}

/** Domains are looked up once for all rules: these may have thousands, and a text as many hosts of many labels. */
const compileLinks = (rules: ReadonlyArray<ReadyRule>) => {
  const wanted = ofType(rules, "link")
  const denying = groupByDomain(wanted.flatMap(([rule, { denied }]) => (denied === null ? [] : [[rule, denied]])))
  const allowing = groupByDomain(wanted.flatMap(([rule, { allowed }]) => (allowed === null ? [] : [[rule, allowed]])))
  const always = wanted.find(([, { allowed, denied }]) => allowed === null && denied === null)
  const strict = wanted.filter(([, { allowed }]) => allowed !== null).map(([rule]) => rule)
  return {
    exists: wanted.length > 0,
    bytes: denying.bytes + allowing.bytes,
    match: (hosts: ReadonlyArray<string>, found: (rule: number) => void) => {
      for (const host of new Set(hosts)) {
        const allowed = new Set<number>()
        for (const domain of listDomains(host)) {
          const [strongest] = denying.rulesOf.get(domain) ?? []
          if (strongest !== undefined) found(strongest)
          for (const rule of allowing.rulesOf.get(domain) ?? []) allowed.add(rule)
        }
        for (const rule of strict) if (!allowed.has(rule)) found(rule)
        if (always !== undefined) found(always[0])
      }
    },
  }
}

const present = (texts: ReadonlyArray<string | null>) =>
  texts.filter((text) => text !== null && text !== "") as string[]

// A match of so many steps times characters takes at most some 30 ms; the largest pattern in the longest text takes ten times as long.
const quickWork = 5_000_000

// A clock that jumps meanwhile keeps nobody waiting for long.
const mostRestMillis = 1_000

/** Runs a match that may take long when it is its turn. */
export type TakeTurn = <A>(match: Effect.Effect<A>) => Effect.Effect<A>

/**
 * Compiles rules, the oldest first, a few at a time: others have their turn in between. A match that may take long is run apart.
 */
export const compileRules = Effect.fnUntraced(function* (
  given: ReadonlyArray<ReadyRule>,
  { clock, patterns }: Pick<Ports, "clock" | "patterns">,
  takeTurn: TakeTurn,
): Effect.fn.Return<CompiledRules> {
  // The strongest first, so that the lowest number wins.
  const rules = given.toSorted((a, b) => ruleActions.indexOf(b.config.action) - ruleActions.indexOf(a.config.action))
  const keywords = compileKeywords(rules)
  const groups = yield* compilePatterns(rules, patterns)
  const links = compileLinks(rules)
  // What they were made of is not kept.
  const known = rules.map(({ id, config: { action, rule_type } }) => ({ rule_id: id, rule_type, action }))

  /** Runs a match, and leaves the machine to others for as long as it took. */
  const withRest = Effect.fnUntraced(function* <A>(match: Effect.Effect<A>) {
    const begun = clock.now().getTime()
    const found = yield* match
    const took = Math.min(clock.now().getTime() - begun, mostRestMillis)
    yield* took > 0 ? Effect.sleep(took) : Effect.yieldNow
    return found
  })

  /** Tells of every rule that a text matches, or of all of one type. Of link rules that a domain matches it may tell the strongest only. */
  const read = Effect.fnUntraced(function* (text: string, found: (rule: number) => void, only?: RuleType) {
    const normalized = normalizeText(text)
    const reads = (type: RuleType) => only === undefined || only === type
    if (reads("keyword")) keywords.match(normalized, found)
    if (links.exists && reads("link")) links.match(findHosts(normalized), found)
    for (const [at, group] of reads("regex") ? groups.entries() : []) {
      // Others have their turn between two groups.
      if (at > 0) yield* Effect.yieldNow
      const isQuick = group.steps * normalized.length <= quickWork
      const matched = isQuick ? group.match(normalized) : yield* takeTurn(withRest(group.matchApart(normalized)))
      for (const rule of matched) found(rule)
    }
  })

  return {
    bytes: groups.reduce((sum, { bytes }) => sum + bytes, keywords.bytes + links.bytes),
    match: Effect.fnUntraced(function* ({ texts, urls }) {
      let [best, matched] = [known.length, ""]
      const noteIn = (text: string) => (rule: number) => {
        if (rule < best) [best, matched] = [rule, text]
      }
      for (const text of present(texts)) yield* read(text, noteIn(text))
      for (const url of present(urls)) if (links.exists) links.match([hostOfAddress(url)], noteIn(url))
      const rule = known[best]
      return rule === undefined ? null : { ...rule, text: matched }
    }),
    excerpt: Effect.fnUntraced(function* ({ rule_id, rule_type, text }) {
      const wanted = known.findIndex((each) => each.rule_id === rule_id)
      const parts = listExcerpts(text)
      for (const part of parts.length > 1 ? parts : []) {
        let isFound = false
        const found = (rule: number) => {
          isFound ||= rule === wanted
        }
        yield* read(part, found, rule_type)
        if (isFound) return part
        yield* Effect.yieldNow
      }
      return parts[0] ?? ""
    }),
  }
})
