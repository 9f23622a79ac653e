import type { TenantDb } from "@hearth/core"
import { activityReactionName, activityRebuildTopic } from "@hearth/core/analytics"
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aSessionFamily } from "../auth/builders.ts"
import { aDeadLetter } from "../background/dead-letters.contract.ts"
import { drainOutbox, handleHead, limitTo } from "../background/outbox-fixtures.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { mostAtOnce } from "../contracts/interleaving.harness.ts"
import { anEvent } from "../events/builders.ts"
import { aUser } from "./builders.ts"

const since = new Date("2026-03-01T00:00:00.000Z")
const until = new Date("2026-04-01T00:00:00.000Z")
const sinceAnd = (millis: number) => new Date(since.getTime() + millis)
const untilAnd = (millis: number) => new Date(until.getTime() + millis)

/** What a project promises about how many of its users were active [B12]. */
export const activeUsersContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("active users", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.users.remove({})))

    const user = async () => {
      const { id, ...row } = aUser()
      await db.transact((tx) => Effect.orDie(tx.users.insert({ ...row, id })))
      return id
    }
    const session = async (
      owner_id: string,
      created_at: Date,
      last_used_at = created_at,
      revoked_at: Date | null = null,
    ) => {
      const family = aSessionFamily({ owner_id, created_at, last_used_at, revoked_at })
      await db.transact((tx) => Effect.orDie(tx.authSessions.families.insert(family)))
    }
    const events = async (app_user_id: string, ...instants: ReadonlyArray<Date>) => {
      const written = instants.map((occurred_at) => anEvent({ app_user_id, occurred_at }))
      await db.read((tx) => tx.events.insert(written, { enqueue: false }))
    }
    const active = (atMost = 1_000) => db.read((tx) => tx.users.countActive(since, until, atMost))

    it("are none without users, and do not include users without activity", async () => {
      expect(await active()).toBe(0)
      await user()
      expect(await active()).toBe(0)
    })

    it.for([
      ["begun before and not used since", sinceAnd(-2), sinceAnd(-1), 0],
      ["begun before, last used at the first instant", sinceAnd(-2), sinceAnd(0), 1],
      ["begun at the first instant", sinceAnd(0), sinceAnd(0), 1],
      ["begun and used within", sinceAnd(1), sinceAnd(2), 1],
      ["begun and used at the last instant", untilAnd(-1), untilAnd(-1), 1],
      ["begun within, last used afterwards", untilAnd(-1), untilAnd(5), 1],
      ["begun at the end", untilAnd(0), untilAnd(0), 0],
      ["begun before and last used afterwards", sinceAnd(-1), untilAnd(0), 0],
    ] as const)("by a session that was %s", async ([, created_at, last_used_at, expected]) => {
      await session(await user(), created_at, last_used_at)
      expect(await active()).toBe(expected)
    })

    it.for([
      ["just before", sinceAnd(-1), 0],
      ["at the first instant", sinceAnd(0), 1],
      ["at the last instant", untilAnd(-1), 1],
      ["at the end", untilAnd(0), 0],
    ] as const)("by an event %s", async ([, occurred_at, expected]) => {
      await events(await user(), occurred_at)
      expect(await active()).toBe(expected)
    })

    it("count by what is activity, whoever has written it [G0.4]", async () => {
      const names = ["lesson", "session_started", "push_opened", "paywall_shown", "subscription"]
      const idle = ["session_ended", "push_sent", "xp_awarded", "message_sent", "subscription_renewal", "subscription_"]
      for (const event_name of [...names, ...idle]) {
        const app_user_id = await user()
        await db.read((tx) =>
          tx.events.insert([anEvent({ app_user_id, event_name, occurred_at: since })], { enqueue: false }),
        )
      }
      expect(await active()).toBe(names.length)
    })

    it("count once each, with any number of sessions and events", async () => {
      const [both, sessions, manyEvents, never] = [await user(), await user(), await user(), await user()]
      await session(both, since)
      await events(both, since, sinceAnd(1))
      await session(sessions, sinceAnd(1))
      await session(sessions, sinceAnd(2), sinceAnd(3), sinceAnd(4))
      await events(manyEvents, sinceAnd(-1), since, sinceAnd(1), sinceAnd(2), until)
      await events(never, sinceAnd(-1), until)
      expect(await active()).toBe(3)
    })

    it("count also when their session is revoked", async () => {
      await session(await user(), since, since, sinceAnd(1))
      expect(await active()).toBe(1)
    })

    it("are counted up to a limit", async () => {
      for (const _ of [1, 2, 3]) await session(await user(), since)
      for (const _ of [1, 2]) await events(await user(), since)
      const counts = [0, 1, 2, 3, 4, 5, 6, 2_147_483_647]
      expect(await Promise.all(counts.map(active))).toEqual([0, 1, 2, 3, 4, 5, 5, 5])
    })

    it("do not count after they are removed", async () => {
      const gone = await user()
      await session(gone, since)
      await events(gone, since)
      await db.transact((tx) => tx.users.remove({ id: gone }))
      expect(await active()).toBe(0)
    })

    describe("where days are noted as events are handled", () => {
      const clear = () =>
        db.transact((tx) =>
          Effect.gen(function* () {
            yield* tx.introducedReactions.remove(activityReactionName)
            yield* drainOutbox(tx)
            yield* handleHead(limitTo(1, { topics: [activityRebuildTopic] }))(tx)
          }),
        )
      beforeEach(async () => {
        await clear()
        await db.read((tx) => tx.introducedReactions.add(activityReactionName))
      })
      afterAll(clear)

      const write = async (app_user_id: string, instants: ReadonlyArray<Date>, event_name = "lesson") => {
        const written = instants.map((occurred_at) => anEvent({ app_user_id, occurred_at, event_name }))
        await db.read((tx) => tx.events.insert(written, { enqueue: true }))
        return written
      }
      const handle = () =>
        db.transact((tx) =>
          Effect.flatMap(drainOutbox(tx), (handled) =>
            tx.activeDays.add(
              handled.map(({ app_user_id, occurred_at }) => ({
                app_user_id,
                day: occurred_at.toISOString().slice(0, 10),
              })),
            ),
          ),
        )
      const inside = [since, sinceAnd(1), untilAnd(-1)]
      const outside = [sinceAnd(-1), until, untilAnd(1)]

      it("count before and after that, by activity within", async () => {
        const [both, within, without, idle] = [await user(), await user(), await user(), await user()]
        await write(idle, inside, "message_sent")
        expect(await active()).toBe(0)
        await db.transact(drainOutbox)
        await write(both, inside)
        await write(without, outside)
        expect(await active()).toBe(1)
        await handle()
        expect(await active()).toBe(1)
        await write(both, [...inside, ...outside])
        await write(within, inside)
        await session(both, since)
        expect(await active()).toBe(2)
        await handle()
        expect(await active()).toBe(2)
        await session(without, since)
        expect(await active()).toBe(3)
      })

      it("count also by what was set aside", async () => {
        const app_user_id = await user()
        const [event] = await write(app_user_id, [since])
        await db.transact((tx) =>
          Effect.andThen(
            drainOutbox(tx),
            tx.deadLetters.insert(aDeadLetter({ event_id: event?.id ?? null, app_user_id })),
          ),
        )
        expect(await active()).toBe(1)
      })

      it("are counted up to a limit, on however many days they were active", async () => {
        const days = Array.from({ length: 31 }, (_, day) => sinceAnd(day * 86_400_000))
        for (const _ of [1, 2, 3]) await write(await user(), days)
        await handle()
        await session(await user(), since)
        await write(await user(), days)
        const counts = [0, 1, 2, 3, 4, 5, 6, 2_147_483_647]
        expect(await Promise.all(counts.map(active))).toEqual([0, 1, 2, 3, 4, 5, 5, 5])
      })

      it("count by all events while days of earlier ones are still being noted", async () => {
        await events(await user(), since)
        await db.read((tx) => tx.outbox.add(activityRebuildTopic, {}))
        expect(await active()).toBe(1)
      })
    })

    it("are counted one after the other where that is asked for", async () => {
      expect(await mostAtOnce(db, 4, (tx) => tx.users.lockSignUps())).toBe(1)
    })
  })
