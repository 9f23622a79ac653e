import { parseRules, type RuleGroup } from "@hearth/core"
import { Effect, Option, Result } from "effect"
import { expect, it } from "vitest"
import { aSegment, aUser, builtAt } from "../src/builders.ts"
import { memoryDatabase } from "../src/memory/database.ts"
import { insertRow } from "../src/memory/rows.ts"
import { membershipShape, segmentShape } from "../src/memory/segment-shapes.ts"
import { memorySegments } from "../src/memory/segments.ts"
import { userShape } from "../src/memory/user-shapes.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const rules = (operator: "AND" | "OR"): RuleGroup => Result.getOrThrow(parseRules({ operator, conditions: [] }))

it("an evaluation in memory keeps and counts those who were added by hand, as they were", async () => {
  const { outside } = memoryDatabase([userShape, segmentShape, membershipShape])
  const [user, segment] = [aUser(), aSegment()]
  const membership = { segment_id: segment.id, app_user_id: user.id, is_manual: true, added_at: builtAt }
  const segments = memorySegments(outside)
  const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect)
  await run(
    outside.change((draft) => {
      insertRow(draft, userShape, user)
      insertRow(draft, segmentShape, segment)
      insertRow(draft, membershipShape, { ...membership, id: `${segment.id}/${user.id}` })
    }),
  )
  for (const operator of ["AND", "OR"] as const) {
    expect(await run(segments.evaluate(segment.id, rules(operator), now))).toBe(1)
    expect(await run(segments.membership(segment.id, user.id))).toEqual(Option.some(membership))
  }
})
