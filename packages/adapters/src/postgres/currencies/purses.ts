import type { Purses } from "@hearth/core/currencies"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

// All users before the first purse. Where a purse is missing none is locked, so that missing ones are made before others are held.
const lock = `
  with owners as materialized (
    select id from app_users where id = any($1::uuid[]) order by id for key share
  ), missing as materialized (
    select count(*) as purses from owners o where not exists (select from purses p where p.app_user_id = o.id)
  ), locked as materialized (
    select app_user_id from purses
    where app_user_id = any($1::uuid[]) and (select purses from missing) = 0 order by app_user_id for no key update
  )
  select o.id, l.app_user_id is not null as is_locked from owners o left join locked l on l.app_user_id = o.id`

const make = `
  insert into purses (app_user_id) select id from unnest($1::uuid[]) as given (id) order by id
  on conflict (app_user_id) do nothing`

/** The purses of users. */
export const makePurses = (statements: Statements): Purses => ({
  lockMany: Effect.fnUntraced(function* (userIds) {
    for (;;) {
      const rows = yield* statements.lock<{ readonly id: string; readonly is_locked: boolean }>("lock-purses", lock, [
        userIds,
      ])
      const ids = rows.map(({ id }) => id)
      if (rows.every(({ is_locked }) => is_locked)) return new Set(ids)
      yield* statements.send(make, [ids])
    }
  }),
})
