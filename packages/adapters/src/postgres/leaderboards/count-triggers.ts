import { firstPosition, orderColumns, sameWindow, windowColumns, writeColumns, writePosition } from "./keys.ts"

const window = windowColumns.join(", ")
const order = orderColumns.join(", ")
const key = [...windowColumns, ...orderColumns]

/** What a statement adds to the listed scores, or takes away; of the versions that are read only. */
const listed = (rows: string, change: number) => `
    select ${writeColumns("t", key)}, ${change} as change
    from ${rows} t join leaderboards l on l.id = t.leaderboard_id and l.version = t.version where t.is_listed`

/**
 * Counts changed scores: in their windows, and in the blocks that they are in. The windows are locked first, so that whoever
 * divides blocks, and counts what is in them, sees all changes that were counted, and no others.
 */
const countingBody = (rows: string, changes: string) => `
  if not exists (select from ${rows}) then return null; end if;
  perform from leaderboard_windows where (${window}) in (select ${window} from (${changes}) c)
  order by ${window} for no key update;
  with made as (
    insert into leaderboard_windows as w (${window}, entries)
    select ${window}, sum(change) from (${changes}) c group by ${window} having sum(change) <> 0 order by ${window}
    on conflict (${window}) do update set entries = w.entries + excluded.entries
    returning ${writeColumns("w", windowColumns)}, xmax = 0 as is_new
  )
  insert into leaderboard_blocks (${window}, ${order}, entries, is_first)
  select ${window}, ${firstPosition}, 0, true from made where is_new on conflict do nothing;
  update leaderboard_blocks b set entries = b.entries + m.change from (
    select f.*, sum(c.change) as change from (${changes}) c cross join lateral (
      select ${writeColumns("f", key)} from leaderboard_blocks f
      where ${sameWindow("f", "c")} and ${writePosition("f")} <= ${writePosition("c")}
      order by f.deficit desc, f.reached_at desc, f.app_user_id desc limit 1
    ) f
    group by ${writeColumns("f", key)} having sum(c.change) <> 0
  ) m where ${sameWindow("b", "m")} and ${writePosition("b")} = ${writePosition("m")};
  return null;`

const counting = [
  { event: "insert", tables: "new table as added", rows: "added", changes: listed("added", 1) },
  {
    event: "update",
    tables: "old table as removed new table as added",
    rows: "added",
    changes: `${listed("removed", -1)} union all ${listed("added", 1)}`,
  },
  { event: "delete", tables: "old table as removed", rows: "removed", changes: listed("removed", -1) },
] as const

const functionSql = (name: string, body: string) =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$`

const statements = counting.map(({ event, tables, rows, changes }) => {
  const name = `count_scores_after_${event}`
  return {
    name,
    event,
    body: functionSql(name, countingBody(rows, changes)),
    expression: `create trigger ${name} after ${event} on leaderboard_scores referencing ${tables}
      for each statement execute function ${name}()`,
  }
})

// Whoever writes scores has locked their users, so none is written beside this.
const listing = "list_scores_after_update"
const listingBody = `
  update leaderboard_scores set is_listed = not new.is_disabled where app_user_id = new.id;
  return null;`
const listingTrigger = `create trigger ${listing} after update of is_disabled on app_users
  for each row when (old.is_disabled is distinct from new.is_disabled) execute function ${listing}()`

/** The triggers of the table of scores, which keep the counts of listed scores. */
export const countTriggers = statements.map(({ name, event, expression }) => ({
  ...{ name, timing: "after" as const, events: [event], forEach: "statement" as const },
  expression,
}))

/** The trigger of the table of users: the scores of who is disabled are not listed, at once. */
export const listTrigger = {
  ...{ name: listing, timing: "after" as const, events: ["update" as const], forEach: "row" as const },
  expression: listingTrigger,
}

/** What makes all of these triggers. */
export const countTriggerSql: ReadonlyArray<string> = [
  ...statements.flatMap(({ body, expression }) => [body, expression]),
  functionSql(listing, listingBody),
  listingTrigger,
]
