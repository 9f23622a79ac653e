import { Effect, Option } from "effect"
import { NotFound, QuotaExceeded } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { parseConfig, type RuleConfig } from "./parse-config.ts"
import type { ModerationDb } from "./port.ts"
import type { ModerationRule, ModerationRuleChanges, ModerationRuleRow, NewModerationRule } from "./rule.ts"

/** The most rules of a project [I0.2]. */
const maxRules = 200
/** The most characters of the keywords of all active rules of a project: they are kept in memory. */
const maxKeywordCharacters = 1_000_000
// Servers of the release before count on from a revision, which has 31 bits.
const revisions = 2 ** 30

const showRule = ({ revision: _, ...rule }: ModerationRuleRow): ModerationRule => rule

/**
 * A revision that is not the one before. It is drawn: after a restore, a count would come again to one of which a process remembers another rule.
 */
const nextRevision = (before: number, { integer }: Pick<Ports["ids"], "integer">): number =>
  (before + 1 + integer(revisions - 1)) % revisions

const countCharacters = (config: RuleConfig) =>
  config.rule_type === "keyword" ? config.keywords.reduce((sum, { length }) => sum + length, 0) : 0

/** The rules of a project [I6.1]. Whatever changes one is heard of by every process at once. */
export const makeModerationRules = ({
  clock,
  ids,
  patterns,
  revocations,
  tenants,
}: Pick<Ports<ModerationDb>, "clock" | "ids" | "patterns" | "revocations" | "tenants">) => {
  const transact = <A, E>(projectId: string, work: (db: ModerationDb) => Effect.Effect<A, E>) =>
    Effect.ensuring(tenants.transact(projectId, work), revocations.announce([projectId]))

  /** Refuses a rule that makes the keywords too many. What it replaces does not count. */
  const checkKeywords = Effect.fnUntraced(function* (db: ModerationDb, rule: ModerationRuleRow, config: RuleConfig) {
    if (!rule.is_active || config.rule_type !== "keyword") return
    const others = (yield* db.moderationRules.active()).filter(({ id }) => id !== rule.id)
    let characters = countCharacters(config)
    for (const { rule_type, config } of others)
      if (rule_type === "keyword")
        characters += countCharacters(yield* Effect.fromResult(parseConfig(rule_type, config, patterns)))
    if (characters > maxKeywordCharacters) return yield* new QuotaExceeded({ limit: maxKeywordCharacters })
  })

  /** Checks type and config together, and answers the row with them. */
  const parse = (row: Omit<ModerationRuleRow, "rule_type" | "config">, rule_type: string, config: unknown) =>
    Effect.map(Effect.fromResult(parseConfig(rule_type, config, patterns)), (parsed) => ({
      row: { ...row, rule_type: parsed.rule_type, config: config as ModerationRuleRow["config"] },
      parsed,
    }))

  return {
    /**
     * Creates a rule [I6.1]. `INVALID_RULE_CONFIG`; `QUOTA_EXCEEDED` over 200 of a project [I0.2], or where active rules have too many
     * keywords.
     */
    create: Effect.fn("moderationRules.create")(function* (projectId: string, input: NewModerationRule) {
      const { name, is_active, rule_type, config } = input
      const blank = { id: ids.uuid(), name, is_active, created_at: clock.now(), revision: 0 }
      const { row, parsed } = yield* parse(blank, rule_type, config)
      return yield* transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* db.moderationRules.lockChanges()
          if ((yield* db.moderationRules.count()) >= maxRules) return yield* new QuotaExceeded({ limit: maxRules })
          yield* checkKeywords(db, row, parsed)
          yield* Effect.orDie(db.moderationRules.insert(row))
          return showRule(row)
        }),
      )
    }),

    /** The rules of a project, the newest first [I6.1]. */
    list: (projectId: string, slice: Slice) =>
      Effect.map(
        tenants.read(projectId, (db) => db.moderationRules.page({}, [["created_at", "desc"]], slice)),
        ({ rows, total }) => ({ rows: rows.map(showRule), total }),
      ),

    /**
     * Changes the fields that are given. Type and config must fit each other afterwards [I6.1]. `NOT_FOUND`; `INVALID_RULE_CONFIG`;
     * `QUOTA_EXCEEDED` where active rules have too many keywords.
     */
    update: Effect.fn("moderationRules.update")(function* (
      projectId: string,
      id: string,
      { rule_type, config, ...changes }: ModerationRuleChanges,
    ) {
      return yield* transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* db.moderationRules.lockChanges()
          const present = yield* orFail(db.moderationRules.lock(id), NotFound)
          const isSame = rule_type === undefined && config === undefined && Object.keys(changes).length === 0
          if (isSame) return showRule(present)
          const changed = { ...present, ...changes, revision: nextRevision(present.revision, ids) }
          const { row, parsed } = yield* parse(
            changed,
            rule_type ?? present.rule_type,
            config === undefined ? present.config : config,
          )
          yield* checkKeywords(db, row, parsed)
          const { id: _, ...columns } = row
          return showRule(Option.getOrThrow(yield* Effect.orDie(db.moderationRules.update(id, columns))))
        }),
      )
    }),

    /** Removes a rule. What it has queued stays. Nothing happens where there is none [I6.1]. */
    remove: (projectId: string, id: string) => transact(projectId, (db) => db.moderationRules.remove({ id })),
  }
}
