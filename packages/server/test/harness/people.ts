import { randomUUID } from "node:crypto"
import type { Sql } from "./sql.ts"

/** Writes other users of these names into a project's database, for a tour that has one session only. Answers their ids. */
export const writePeople = async (
  sql: Sql,
  projectId: string,
  ...names: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const ids = names.map(() => randomUUID())
  await sql.rows(
    projectId,
    `insert into app_users
       (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at, is_disabled, created_at, updated_at)
     select id, name, id::text, '[]', '{}', now(), now(), false, now(), now()
     from unnest($1::uuid[], $2::text[]) as given (id, name)`,
    [ids, names],
  )
  return ids
}
