import type { TenantDb } from "@hearth/core"
import type { SegmentRow } from "@hearth/core/segments"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { aSegment } from "./builders.ts"

/** The table of segments. */
export const segments: TableCase<TenantDb, SegmentRow> = {
  name: "segments",
  table: (db) => db.segments,
  row: (_, given) => Effect.succeed(aSegment(given)),
  samples: [
    {
      name: awkwardText,
      description: awkwardText,
      rules: awkwardJson,
      is_system: true,
      user_count: 2_147_483_647,
      last_evaluated_at: awkwardInstant,
      created_at: earlyInstant,
    },
    { description: null, last_evaluated_at: null, user_count: 0, rules: {} },
    {
      description: "",
      rules: { operator: "NOT", conditions: [{ field: "properties.a.b", op: "not_in", value: [1, "1"] }] },
    },
  ],
  unique: [],
  sorting: { column: "name", ascending: textsInOrder },
  nullable: { column: "last_evaluated_at", ascending: instantsInOrder },
}
