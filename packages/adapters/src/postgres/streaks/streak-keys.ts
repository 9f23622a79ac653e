import type { StreakKey } from "@hearth/core/streaks"

/** The columns of streak keys, as the first two values of a statement. */
export const keyColumns = (keys: ReadonlyArray<StreakKey>): readonly [ReadonlyArray<string>, ReadonlyArray<string>] => [
  keys.map((key) => key.app_user_id),
  keys.map((key) => key.streak_definition_id),
]

/** The condition that a row is of one of the keys bound to `$1` and `$2`. */
export const isOfKeys = `(app_user_id, streak_definition_id) in (select * from unnest($1::uuid[], $2::uuid[]))`

/** The streaks with an instant each that are bound to `$1` to `$3`, as `k`, in the order given. */
export const instantKeys = `(
  select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
    with ordinality as given (app_user_id, streak_definition_id, instant, ordinal) order by ordinal
) as k`

/** The streaks with a period each that are bound to `$1` to `$3`, as `k`. */
export const periodKeys = `unnest($1::uuid[], $2::uuid[], $3::date[]) as k (app_user_id, streak_definition_id, after)`
