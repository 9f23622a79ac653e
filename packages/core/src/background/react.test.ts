import { anEvent, manualClock, memoryIds } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import type { EventsDb } from "../events/port.ts"
import type { BackgroundDb } from "./port.ts"
import { makePrepare, makeReact } from "./react.ts"
import type { Reaction } from "./reaction.ts"

type Db = BackgroundDb & EventsDb

const ids = memoryIds(manualClock("2026-03-01T12:00:00.000Z"))

// What a transaction sends within one turn of the event loop goes out at its end.
const endOfTurn = () => new Promise<void>((resolve) => process.nextTick(resolve))

/** Reactions that only note when their locks are taken, and when what was sent before goes out. */
const setUp = (failing: ReadonlyArray<string> = []) => {
  const noted: Array<string> = []
  const locking = (name: string): Reaction<Db> => ({
    name,
    lock: () => {
      noted.push(name)
      return Effect.promise(async () => {
        await endOfTurn()
        noted.push(`${name} is out`)
        if (failing.includes(name)) throw new Error(name)
      })
    },
    react: () => {
      noted.push(`${name} reacts`)
      return Effect.succeed([])
    },
  })
  const silent: Reaction<Db> = { name: "silent", react: () => Effect.succeed([]) }
  const reactions = [silent, locking("users"), locking("streaks"), locking("xp")]
  const db = { introducedReactions: { names: () => Effect.succeed(["users"]) } } as unknown as Db
  const react = makeReact<Db>(ids, reactions, makePrepare(reactions), { forgetOthers: () => Effect.void })
  const progress = { reaction: "" }
  const run = (events: number) => {
    const batch = Array.from({ length: events }, () => anEvent({ app_user_id: "ada" }))
    return Effect.runPromiseExit(react("project", db, batch, progress))
  }
  return { noted, progress, run }
}

const reacted = ["users reacts", "streaks reacts", "xp reacts"]

describe("the locks of reactions", () => {
  it("go out together for a few events, in their order", async () => {
    const { noted, run } = setUp()
    expect(Exit.isSuccess(await run(499))).toBe(true)
    expect(noted).toEqual(["users", "streaks", "xp", "users is out", "streaks is out", "xp is out", ...reacted])
  })

  it("go out in the same order for many, the first before the others are put together", async () => {
    const { noted, run } = setUp()
    expect(Exit.isSuccess(await run(500))).toBe(true)
    expect(noted).toEqual(["users", "users is out", "streaks", "xp", "streaks is out", "xp is out", ...reacted])
  })

  it.each([
    [1, ["streaks", "xp"], "streaks"],
    [500, ["streaks", "xp"], "streaks"],
    [500, ["users", "xp"], "users"],
    [500, ["xp"], "xp"],
  ])("of %i events tell which of %j has failed first", async (events, failing, first) => {
    const { noted, progress, run } = setUp(failing)
    expect(Exit.isFailure(await run(events))).toBe(true)
    expect(progress.reaction).toBe(first)
    expect(noted).not.toContain("users reacts")
  })
})
