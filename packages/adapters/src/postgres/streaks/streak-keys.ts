import type { StreakKey } from "@hearth/core/streaks"

/** The columns of streak keys, as the first two values of a statement. */
export const keyColumns = (keys: ReadonlyArray<StreakKey>): readonly [ReadonlyArray<string>, ReadonlyArray<string>] => [
  keys.map((key) => key.app_user_id),
  keys.map((key) => key.streak_definition_id),
]

/** The condition that a row is of one of the keys bound to `$1` and `$2`. */
export const isOfKeys = `(app_user_id, streak_definition_id) in (select * from unnest($1::uuid[], $2::uuid[]))`
