import type { LiveDb, LiveReading, ProjectItem, ProjectNews, Taken, UserItem } from "@hearth/core/live"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import { runningMillis } from "./new-rows.ts"
import { projectRows } from "./project-rows.ts"
import { userCounts, userRows } from "./user-rows.ts"

const takenColumns = `pg_current_snapshot()::text as snapshot, ${runningMillis} as running_millis`

const take = `select ${takenColumns}`

// The row with what is known of the database is there also where nothing is new.
const withTaken = (rows: string) =>
  `select ${takenColumns}, news.* from (select) as always left join (${rows}) as news on true`

// Instants in JSON are text.
const instants = ["created_at", "unlocked_at", "expires_at", "updated_at", "occurred_at", "first_failed_at"]

const readItem = (json: Readonly<Record<string, unknown>>) => {
  const item: Record<string, unknown> = { ...json }
  for (const name of instants) if (typeof item[name] === "string") item[name] = new Date(item[name])
  return item
}

interface Row extends Taken {
  readonly kind: string | null
  readonly item: Readonly<Record<string, unknown>>
}

const takenOf = ([row]: ReadonlyArray<Taken>): Taken => {
  if (row === undefined) throw new Error("The snapshot was not answered.")
  return { snapshot: row.snapshot, running_millis: row.running_millis }
}

const readProject = (rows: ReadonlyArray<Row>): ProjectNews => {
  const counts = rows.find(({ kind }) => kind === "counts")?.item as unknown as ProjectNews["counts"]
  const names = rows.filter(({ kind }) => kind === "name").map(({ item }) => item)
  return {
    ...takenOf(rows),
    counts,
    names: names as unknown as ProjectNews["names"],
    items: rows
      .filter(({ kind }) => kind !== "counts" && kind !== "name")
      .map(({ kind, item }) => ({ kind, item: readItem(item) }) as unknown as ProjectItem),
  }
}

const makeReading = (statements: Statements): LiveReading => ({
  take: () => Effect.map(statements.prepared<Taken>("live-take", take, []), takenOf),
  ofUsers: ({ after, upto, from_id }, userIds, limit) =>
    Effect.map(
      // Without a name: a plan for whatever least id would read tables from their beginning.
      statements.rows<Row & { readonly user_id: string; readonly xid: string }>(withTaken(userRows), [
        ...[after, upto, from_id, userIds, limit],
      ]),
      (rows) => ({
        ...takenOf(rows),
        items: rows
          .filter(({ kind }) => kind !== null)
          .map(({ kind, user_id, xid, item }) => ({ kind, user_id, xid, item: readItem(item) }) as unknown as UserItem),
      }),
    ),
  countOfUsers: ({ after, upto, from_id }, userIds) =>
    Effect.map(
      statements.rows<{ readonly user_id: string; readonly count: number }>(userCounts, [
        ...[after, upto, from_id, userIds],
      ]),
      (rows) => new Map(rows.map(({ user_id, count }) => [user_id, count])),
    ),
  ofProject: ({ after, upto, from_id }, filter, limit) => {
    const values = [after, upto, from_id, limit, filter.event_name, filter.user_id]
    return Effect.map(statements.rows<Row>(withTaken(projectRows(filter)), values), readProject)
  },
})

/** What is new, from the rows of all features. */
export const liveFeature: TenantFeature<LiveDb> = {
  tenant: { entities: [], repositories: { live: makeReading } },
}
