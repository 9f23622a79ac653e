import { XpLevel, type XpLevels, XpRule, type XpRules } from "@hearth/core/xp"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { rowSet } from "../sql/row-set.ts"

const rules = rowSet(XpRule)
const ruleColumns = rules.columns.join(", ")

// What stays is written over: one statement must not remove and insert the same key.
const replaceRules = `
  with given as materialized (select * from ${rules.from(1)}), gone as (
    delete from xp_rules where event_name not in (select event_name from given)
  )
  insert into xp_rules (${ruleColumns}, position) select ${ruleColumns}, ordinal from given
  on conflict (event_name) do update
  set amount = excluded.amount, daily_cap = excluded.daily_cap, position = excluded.position`

/** What events are worth. */
export const makeXpRules = (statements: Statements): XpRules => ({
  list: () => statements.rows<XpRule>(`select ${ruleColumns} from xp_rules order by position`),
  listByName: (eventNames) =>
    statements.lock<XpRule>(
      "xp-rules-by-name",
      `select ${ruleColumns} from xp_rules where event_name = any($1::text[])`,
      [eventNames],
    ),
  replace: (given) => Effect.asVoid(statements.rows(replaceRules, rules.values(given))),
})

const levels = rowSet(XpLevel)

const replaceLevels = `
  with given as materialized (select * from ${levels.from(1)}), gone as (
    delete from xp_levels where xp_required not in (select xp_required from given)
  )
  insert into xp_levels (name, xp_required) select name, xp_required from given
  on conflict (xp_required) do update set name = excluded.name`

/** The levels of a project. */
export const makeXpLevels = (statements: Statements): XpLevels => ({
  list: () => statements.lock<XpLevel>("xp-levels", "select name, xp_required from xp_levels order by xp_required", []),
  replace: (given) => Effect.asVoid(statements.rows(replaceLevels, levels.values(given))),
})
