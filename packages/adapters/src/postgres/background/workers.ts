import type { IntroducedReactions, WorkerBeat, WorkerRegistry } from "@hearth/core/background"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

/** The reactions that a project was given. */
export const makeIntroducedReactions = (statements: Statements): IntroducedReactions => ({
  names: () =>
    Effect.map(
      statements.lock<{ readonly name: string }>(
        "introduced-reactions",
        "select name from introduced_reactions order by name",
        [],
      ),
      (rows) => rows.map(({ name }) => name),
    ),
  add: (name) =>
    Effect.asVoid(
      statements.rows("insert into introduced_reactions (name) values ($1) on conflict do nothing", [name]),
    ),
  remove: (name) => Effect.asVoid(statements.rows("delete from introduced_reactions where name = $1", [name])),
})

// Rows that another worker removes at the same time are left to it: two that wait for each other would be a deadlock.
const beat = `
  with gone as (
    delete from workers where id in (select id from workers where seen_at < $4 and id <> $1 for update skip locked)
  ), noted as (
    insert into workers (id, reactions, seen_at) values ($1, $2::text[], $3)
    on conflict (id) do update set reactions = excluded.reactions, seen_at = excluded.seen_at
  )
  select id, reactions, seen_at from workers where id <> $1 and seen_at >= $4 order by id`

/** The workers of the installation. */
export const makeWorkerRegistry = (statements: Statements): WorkerRegistry => ({
  beat: ({ id, reactions, seen_at }, since) => statements.rows<WorkerBeat>(beat, [id, reactions, seen_at, since]),
})
