import type { RuleGroup, SegmentMembership, SegmentRow, Segments } from "@hearth/core/segments"
import type { UserRow } from "@hearth/core/users"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeBindings } from "../sql/bindings.ts"
import { makeTable } from "../sql/table.ts"
import { makeEvaluation } from "./segment-evaluation.ts"
import { describedSql } from "./segment-rules.ts"

const previewed = (rules: RuleGroup, now: Date, sampleSize: number, columns: ReadonlyArray<string>) => {
  const bindings = makeBindings()
  const text = `
    with described as materialized (
      ${describedSql(rules, now, bindings)}
    )
    select counted.described_users, sample.* from (select count(*) as described_users from described) as counted
    left join (
      select ${columns.map((column) => `u.${column}`).join(", ")}
      from (
        select id from described order by last_seen_at desc, id limit ${bindings.bind(sampleSize, "bigint")}
      ) as first join app_users u using (id)
    ) as sample on true
    order by sample.last_seen_at desc, sample.id`
  return { text, values: bindings.values }
}

/** The segments of a project, and their members. */
export const makeSegments = (
  statements: Statements,
  shapes: { readonly Segment: TableShape; readonly User: TableShape },
): Segments => ({
  ...makeTable<SegmentRow>(statements, shapes.Segment),
  ...makeEvaluation(statements),
  preview: (rules, now, sampleSize) =>
    Effect.suspend(() => {
      const { text, values } = previewed(rules, now, sampleSize, shapes.User.columns)
      const rows = statements.rows<UserRow & { readonly described_users: string }>(text, values)
      return Effect.map(rows, (answered) => ({
        user_count: Number(answered[0]?.described_users ?? 0),
        // An empty sample is one row with the count alone.
        sample: answered.filter(({ id }) => id !== null).map(({ described_users: _, ...user }) => user),
      }))
    }),
  membership: (segmentId, userId) =>
    Effect.map(
      statements.rows<SegmentMembership>(
        `select segment_id, app_user_id, is_manual, added_at from segment_memberships
         where segment_id = $1 and app_user_id = $2`,
        [segmentId, userId],
      ),
      ([membership]) => Option.fromNullishOr(membership),
    ),
})
