import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { memoryDatabase } from "../src/memory/database.ts"
import { insertRow, rowsOf } from "../src/memory/rows.ts"
import { aSegment } from "../src/segments/builders.ts"
import { memorySegmentMembers } from "../src/segments/memory-members.ts"
import { membershipShape, segmentShape } from "../src/segments/memory-shapes.ts"
import { aUser } from "../src/users/builders.ts"
import { userShape } from "../src/users/memory-shapes.ts"

const [before, now] = [new Date("2026-01-01T00:00:00Z"), new Date("2026-02-01T00:00:00Z")]

/** A segment with one member by its rules. */
const setUp = () => {
  const database = memoryDatabase([userShape, segmentShape, membershipShape])
  const [segment, user] = [aSegment({ user_count: 1 }), aUser()]
  const members = memorySegmentMembers(database.outside)
  const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect)
  const write = database.outside.change((draft) => {
    insertRow(draft, userShape, user)
    insertRow(draft, segmentShape, segment)
    const keys = { segment_id: segment.id, app_user_id: user.id }
    insertRow(draft, membershipShape, {
      ...{ ...keys, id: `${segment.id}/${user.id}`, is_manual: false, added_at: before },
    })
  })
  const state = database.outside.query((draft) => ({
    members: [...rowsOf(draft, membershipShape).values()].map(({ is_manual, added_at }) => ({ is_manual, added_at })),
    user_count: rowsOf(draft, segmentShape).get(segment.id)?.user_count,
  }))
  return { run, write, state, members, segment: segment.id, user: user.id }
}

describe("a member by the rules, in memory", () => {
  it("stays when added by hand, and keeps `added_at`", async () => {
    const { run, write, state, members, segment, user } = setUp()
    await run(write)
    await run(members.add([segment], [user], now))
    expect(await run(state)).toEqual({ members: [{ is_manual: true, added_at: before }], user_count: 1 })
  })

  it("can be removed by hand", async () => {
    const { run, write, state, members, segment, user } = setUp()
    await run(write)
    await run(members.remove([segment], [user]))
    expect(await run(state)).toEqual({ members: [], user_count: 0 })
  })
})
