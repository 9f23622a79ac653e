import { makeBatchNotes } from "@hearth/core/background"
import { makeStreaksWork, streakChangesNote } from "@hearth/core/streaks"
import { anEvent } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { streakWorld } from "./world.ts"

/** A world in which batches are handled by the reaction of streaks alone. It is noon of 10 March 2026. */
const changesWorld = async (rules: Parameters<typeof streakWorld>[0] = {}) => {
  const world = await streakWorld(rules, { startAt: "2026-03-10T12:00:00.000Z" })
  const [reaction] = makeStreaksWork(world.world.ports).reactions ?? []
  /** What a batch of lessons on these days, at noon unless there is a time, has changed. */
  const changes = (...instants: ReadonlyArray<string>) =>
    world.world.run(
      world.world.tenants.transact(
        world.projectId,
        Effect.fnUntraced(function* (db) {
          yield* db.outbox.hold()
          const events = instants.map((at) =>
            anEvent({
              app_user_id: world.userId,
              event_name: "lesson",
              occurred_at: new Date(at.length === 10 ? `${at}T12:00:00Z` : at),
            }),
          )
          const notes = makeBatchNotes()
          yield* db.events.insert(events, { enqueue: false })
          yield* reaction?.lock?.(db, events, notes) ?? Effect.die("no locks")
          yield* reaction?.react(db, events, notes) ?? Effect.die("no reaction")
          const found = notes.read(streakChangesNote)
          return found.map(
            ({ app_user_id: _user, streak_definition_id: _streak, qualifying_event: _name, from, ...change }) => ({
              ...change,
              from: from.toISOString().slice(0, 10),
            }),
          )
        }),
        { locks: "hold" },
      ),
    )
  return { ...world, changes }
}

describe("what the reaction of streaks tells later ones", () => {
  it("is the count before the batch and after it", async () => {
    const { changes } = await changesWorld()
    const first = { before: 0, after: 1, status: "active", freezes_used: 0, from: "2026-03-09" }
    expect(await changes("2026-03-09")).toEqual([first])
    expect(await changes("2026-03-10")).toEqual([{ ...first, before: 1, after: 2, from: "2026-03-10" }])
  })

  it("is one change for a batch of several days", async () => {
    const { changes } = await changesWorld()
    expect(await changes("2026-03-10", "2026-03-08", "2026-03-09")).toEqual([
      { before: 0, after: 3, status: "active", freezes_used: 0, from: "2026-03-08" },
    ])
  })

  it("is nothing where an event repeats a day", async () => {
    const { changes } = await changesWorld()
    await changes("2026-03-10")
    expect(await changes("2026-03-10T12:30:00Z")).toEqual([])
    expect(await changes("2026-03-10T12:30:00Z")).toEqual([])
  })

  it("counts the freezes that covered what was missed, swept or not", async () => {
    const rules = { freeze_enabled: true, max_freezes: 2 }
    const expected = [{ before: 1, after: 2, status: "active", freezes_used: 2, from: "2026-03-10" }]
    const unswept = await changesWorld(rules)
    await unswept.changes("2026-03-07")
    expect(await unswept.changes("2026-03-10")).toEqual(expected)
    const swept = await changesWorld(rules)
    await swept.changes("2026-03-07")
    await swept.runPending()
    expect((await swept.stored())?.freezes_remaining).toBe(0)
    expect(await swept.changes("2026-03-10")).toEqual(expected)
  })

  it("counts no freezes that did not keep the run going", async () => {
    const { changes, runPending } = await changesWorld({ freeze_enabled: true, max_freezes: 1 })
    await changes("2026-03-07")
    expect(await changes("2026-03-10")).toEqual([
      { before: 0, after: 1, status: "active", freezes_used: 0, from: "2026-03-10" },
    ])
    await runPending()
    expect(await changes("2026-03-09")).toEqual([
      // One freeze covers the 8th, and the run that was broken goes on.
      { before: 1, after: 3, status: "active", freezes_used: 1, from: "2026-03-09" },
    ])
  })

  it("is what a late event has changed by a rebuild", async () => {
    const { changes, runPending } = await changesWorld()
    await changes("2026-03-08", "2026-03-10")
    await runPending()
    expect(await changes("2026-03-09")).toEqual([
      { before: 1, after: 3, status: "active", freezes_used: 0, from: "2026-03-09" },
    ])
    expect(await changes("2026-03-09T13:00:00Z")).toEqual([])
  })

  it("says what a reader sees of an event of days ago", async () => {
    const { changes, own } = await changesWorld()
    expect(await changes("2026-03-07")).toEqual([
      { before: 0, after: 0, status: "broken", freezes_used: 0, from: "2026-03-07" },
    ])
    expect((await own()).current_count).toBe(0)
  })

  it("is nothing for a user who is gone", async () => {
    const { changes, world, projectId, userId } = await changesWorld()
    await world.run(world.tenants.transact(projectId, (db) => db.users.remove({ id: userId })))
    expect(await changes("2026-03-10")).toEqual([])
  })
})
