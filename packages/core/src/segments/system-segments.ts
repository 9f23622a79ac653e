import type { Segment } from "./segment.ts"

const seenRule = (field: "first_seen_at" | "last_seen_at", op: "within" | "not_within", value: string) => ({
  operator: "AND",
  conditions: [{ field, op, value }],
})

/** The segments that every project has from the start [C4]. */
export const systemSegments: ReadonlyArray<Pick<Segment, "name" | "description" | "rules">> = [
  { name: "All users", description: "Everybody.", rules: { operator: "AND", conditions: [] } },
  { name: "New users", description: "First seen within 7 days.", rules: seenRule("first_seen_at", "within", "7d") },
  { name: "Active users", description: "Last seen within 7 days.", rules: seenRule("last_seen_at", "within", "7d") },
  { name: "Dormant users", description: "Not seen for 30 days.", rules: seenRule("last_seen_at", "not_within", "30d") },
]
