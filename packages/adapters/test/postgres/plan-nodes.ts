import { Effect } from "effect"
import type pg from "pg"
import type { Statements } from "../../src/postgres/connections/statements.ts"

/** A node of a plan that was run. */
interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The nodes of the plans of all statements of `work`. They find nothing, and what `work` makes of that is no matter. */
export const planNodes = async (
  client: pg.Client,
  work: (statements: Statements) => Effect.Effect<unknown>,
): Promise<ReadonlyArray<PlanNode>> => {
  const nodes: Array<PlanNode> = []
  const rows = (text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.promise(async () => {
      const explained = await client.query(`explain (analyze, format json) ${text}`, [...values])
      nodes.push(...nodesOf(explained.rows[0]["QUERY PLAN"][0].Plan))
      return []
    })
  const attempt: Statements["attempt"] = (make) =>
    Effect.suspend(() => {
      const { text, values } = make()
      return Effect.as(rows(text, values), { rows: [], rowCount: 0 })
    })
  const prepared: Statements["prepared"] = (_name, text, values) => rows(text, values)
  const send: Statements["send"] = (text, values) => Effect.asVoid(rows(text, values))
  await Effect.runPromise(Effect.exit(work({ rows, attempt, prepared, send } as unknown as Statements)))
  return nodes
}
