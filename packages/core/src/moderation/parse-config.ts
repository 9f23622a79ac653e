import { Result, Schema } from "effect"
import { joinChoices } from "../phrases.ts"
import { hasLength, isObject } from "../schema.ts"
import { readDomain } from "./links.ts"
import { normalizeText } from "./normalize.ts"
import { maxPatternLength, type Patterns } from "./patterns.ts"
import { InvalidRuleConfig, type RuleAction, type RuleType, ruleActions, ruleTypes } from "./rule.ts"

/** The most keywords of a rule, and domains of a list [I6.1]. */
const maxEntries = 1_000
/** The most characters of a keyword. */
const maxKeywordLength = 200

/** What a rule looks for, read from its config. Keywords are normalized; domains are lower-case punycode. */
export type RuleConfig = { readonly action: RuleAction } & (
  | { readonly rule_type: "keyword"; readonly keywords: ReadonlyArray<string>; readonly match: "word" | "substring" }
  | { readonly rule_type: "regex"; readonly pattern: string }
  | {
      readonly rule_type: "link"
      readonly allowed: ReadonlySet<string> | null
      readonly denied: ReadonlySet<string> | null
    }
)

type Parsed<A> = Result.Result<A, InvalidRuleConfig>

const refuse = (path: string, message: string) => Result.fail(new InvalidRuleConfig({ issues: [{ path, message }] }))

const isOneOf = <const Values extends ReadonlyArray<string>>(values: Values, value: unknown): value is Values[number] =>
  values.some((each) => each === value)

const isTextList = Schema.is(Schema.Array(Schema.String))

const parseKeywords = (config: Readonly<Record<string, unknown>>, action: RuleAction): Parsed<RuleConfig> => {
  const { keywords, match = "word" } = config
  if (!isTextList(keywords) || keywords.length === 0 || keywords.length > maxEntries)
    return refuse(
      "config.keywords",
      keywords === undefined ? "is required" : `must be an array of 1 to ${maxEntries} texts`,
    )
  if (!isOneOf(["word", "substring"], match)) return refuse("config.match", "must be word or substring")
  const normalized = keywords.map(normalizeText)
  const faulty = normalized.findIndex((text) => text.trim() === "" || !hasLength(text, 1, maxKeywordLength))
  if (faulty !== -1)
    return refuse(`config.keywords.${faulty}`, `must be 1 to ${maxKeywordLength} characters that are seen`)
  return Result.succeed({ rule_type: "keyword", action, keywords: normalized, match })
}

const parseRegex = (
  { pattern }: Readonly<Record<string, unknown>>,
  action: RuleAction,
  patterns: Patterns,
): Parsed<RuleConfig> => {
  if (typeof pattern !== "string" || !hasLength(pattern, 1, maxPatternLength))
    return refuse(
      "config.pattern",
      pattern === undefined ? "is required" : `must be 1 to ${maxPatternLength} characters`,
    )
  const fault = patterns.findFault(pattern)
  if (fault === null) return Result.succeed({ rule_type: "regex", action, pattern })
  return refuse("config.pattern", fault.startsWith("must ") ? fault : `must be a regular expression of RE2: ${fault}`)
}

const parseDomains = (path: string, value: unknown): Parsed<ReadonlySet<string> | null> => {
  if (value === undefined || value === null) return Result.succeed(null)
  if (!isTextList(value) || value.length > maxEntries)
    return refuse(path, `must be an array of at most ${maxEntries} domains`)
  const domains = value.map(readDomain)
  const faulty = domains.indexOf(null)
  if (faulty !== -1) return refuse(`${path}.${faulty}`, "must be a domain, like example.com")
  return Result.succeed(new Set(domains.filter((domain) => domain !== null)))
}

const parseLinks = (config: Readonly<Record<string, unknown>>, action: RuleAction): Parsed<RuleConfig> =>
  Result.gen(function* () {
    const allowed = yield* parseDomains("config.allow_domains", config["allow_domains"])
    const denied = yield* parseDomains("config.deny_domains", config["deny_domains"])
    return { rule_type: "link", action, allowed, denied }
  })

const parsers: Readonly<
  Record<
    RuleType,
    (config: Readonly<Record<string, unknown>>, action: RuleAction, patterns: Patterns) => Parsed<RuleConfig>
  >
> = { keyword: parseKeywords, regex: parseRegex, link: parseLinks }

/** Reads what a rule looks for; refuses a type that there is not, and a config that does not fit it [I6.1]. */
export const parseConfig = (ruleType: string, config: unknown, patterns: Patterns): Parsed<RuleConfig> => {
  if (!isOneOf(ruleTypes, ruleType)) return refuse("rule_type", `must be ${joinChoices(ruleTypes)}`)
  if (!isObject(config)) return refuse("config", "must be an object")
  const { action = "flag" } = config
  if (!isOneOf(ruleActions, action)) return refuse("config.action", `must be ${joinChoices(ruleActions)}`)
  return parsers[ruleType](config, action, patterns)
}
