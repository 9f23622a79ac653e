import { XpDay, type XpDays, type XpEntries, XpEntry, XpTotal, type XpTotals } from "@hearth/core/xp"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { opaque } from "../sql/opaque.ts"
import { removeOfUser } from "../sql/remove-of-user.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"

const entries = rowSet(XpEntry)
const entryColumns = entries.columns.join(", ")

const insertMany = `insert into xp_entries (${entryColumns}) select ${entryColumns} from ${entries.from(1)}`

/** The ledger. */
export const makeXpEntries = (statements: Statements, shape: TableShape): XpEntries => ({
  ...makeTable<XpEntry>(statements, shape),
  findCauses: (causes) =>
    Effect.map(
      statements.rows<Pick<XpEntry, "cause_key">>(
        "select cause_key from xp_entries where cause_key = any($1::text[])",
        [causes],
      ),
      (rows) => new Set(rows.map(({ cause_key }) => cause_key)),
    ),
  insertMany: (given) => statements.send(insertMany, entries.values(given)),
  newest: (userId, limit) =>
    statements.rows<XpEntry>(
      `select ${entryColumns} from xp_entries where app_user_id = $1 order by created_at desc, id desc limit $2`,
      [userId, limit],
    ),
  markRanked: (ids) =>
    Effect.asVoid(statements.rows("update xp_entries set is_ranked = true where id = any($1::uuid[])", [ids])),
  removeSome: (userId, limit) => removeOfUser(statements, "xp_entries", userId, limit),
})

const totals = rowSet(XpTotal)
const totalColumns = totals.columns.join(", ")

// The users first, in their order: whoever removes one of them waits, or is waited for. Those who are made here are locked
// by that; one statement cannot lock what another has made meanwhile, so the locks are taken by the next.
const makeMissing = `
  with known as materialized (
    select id from app_users where id = any(${opaque("$1::uuid[]")}) order by id for key share
  )
  insert into xp_totals (${totalColumns})
  select id, 0, 0 from known where not exists (select from xp_totals t where t.app_user_id = known.id)
  order by id on conflict do nothing`

const lockMany = `
  select ${totalColumns} from xp_totals where app_user_id = any($1::uuid[]) order by app_user_id for no key update`

const saveTotals = `
  update xp_totals t set total = given.total, highest_total = given.highest_total
  from ${totals.from(1)} where t.app_user_id = given.app_user_id`

/** The totals of users. */
export const makeXpTotals = (statements: Statements): XpTotals => ({
  find: (app_user_id) =>
    Effect.map(
      statements.rows<XpTotal>(`select ${totalColumns} from xp_totals where app_user_id = $1`, [app_user_id]),
      ([total]) => total ?? { app_user_id, total: 0, highest_total: 0 },
    ),
  findMany: (userIds) =>
    Effect.map(
      statements.rows<XpTotal>(`select ${totalColumns} from xp_totals where app_user_id = any($1::uuid[])`, [userIds]),
      (found) => new Map(found.map((total) => [total.app_user_id, total])),
    ),
  lockMany: (userIds) =>
    Effect.map(
      Effect.all([statements.send(makeMissing, [userIds]), statements.rows<XpTotal>(lockMany, [userIds])], {
        concurrency: statements.concurrency,
      }),
      ([, locked]) => new Map(locked.map((total) => [total.app_user_id, total])),
    ),
  save: (changed) => statements.send(saveTotals, totals.values(changed)),
})

const days = rowSet(XpDay)
const dayColumns = days.columns.join(", ")

const saveDays = `
  insert into xp_days (${dayColumns}) select ${dayColumns} from ${days.from(1)}
  on conflict (app_user_id, event_name, day) do update set amount = excluded.amount`

const listDays = `
  select ${dayColumns} from xp_days
  where (app_user_id, event_name, day) in (
    select * from unnest(${["$1::uuid[]", "$2::text[]", "$3::date[]"].map(opaque).join(", ")})
  )`

/** What users were given by event name and day. */
export const makeXpDays = (statements: Statements): XpDays => ({
  list: (keys) =>
    statements.rows<XpDay>(listDays, [
      keys.map(({ app_user_id }) => app_user_id),
      keys.map(({ event_name }) => event_name),
      keys.map(({ day }) => day),
    ]),
  save: (changed) => statements.send(saveDays, days.values(changed)),
})
