import type { Activity } from "@hearth/core"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

/** Which projects may have work waiting. A project that is gone is passed over. */
export const makeActivity = (statements: Statements): Activity => ({
  mark: (projectId, at) =>
    Effect.asVoid(
      statements.rows(
        `insert into project_activity as a (project_id, marked_at) select id, $2 from projects where id = $1
         on conflict (project_id) do update set marked_at = greatest(a.marked_at, excluded.marked_at)`,
        [projectId, at],
      ),
    ),
  // What was found out earlier does not go over what was found out later.
  drained: (projectId, at, wakeAt) =>
    Effect.asVoid(
      statements.rows(
        `insert into project_activity as a (project_id, drained_at, wake_at) select id, $2, $3 from projects where id = $1
         on conflict (project_id) do update set drained_at = excluded.drained_at, wake_at = excluded.wake_at
         where a.drained_at is null or a.drained_at <= excluded.drained_at`,
        [projectId, at, wakeAt],
      ),
    ),
  due: (now) =>
    Effect.map(
      statements.rows<{ readonly id: string }>(
        `select p.id from projects p left join project_activity a on a.project_id = p.id
         where p.is_ready and (a.drained_at is null or a.marked_at > a.drained_at - interval '2 minutes' or a.wake_at <= $1)
         order by p.id`,
        [now],
      ),
      (rows) => rows.map(({ id }) => id),
    ),
  evaluationsDue: (now, limit) =>
    Effect.map(
      statements.rows<{ readonly id: string }>(
        `select p.id from projects p left join project_activity a on a.project_id = p.id
         where p.is_ready and (a.evaluate_at is null or a.evaluate_at <= $1)
         order by a.evaluate_at nulls first, p.id limit $2`,
        [now, limit ?? null],
      ),
      (rows) => rows.map(({ id }) => id),
    ),
  evaluated: (projectId, nextAt) =>
    Effect.asVoid(
      statements.rows(
        `insert into project_activity as a (project_id, evaluate_at) select id, $2 from projects where id = $1
         on conflict (project_id) do update set evaluate_at = greatest(a.evaluate_at, excluded.evaluate_at)`,
        [projectId, nextAt],
      ),
    ),
})
