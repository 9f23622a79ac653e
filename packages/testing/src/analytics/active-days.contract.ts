import type { TenantDb } from "@hearth/core"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { anEvent } from "../events/builders.ts"
import { writeUser } from "../users/tables.ts"

const all = { first: "0001-01-01", last: "9999-12-31" }

/** What a project promises about the days on which users were active. */
export const activeDaysContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("active days", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.users.remove({})))

    const user = () => db.transact(writeUser)
    const add = (...days: ReadonlyArray<readonly [app_user_id: string, day: string]>) =>
      db.transact((tx) => tx.activeDays.add(days.map(([app_user_id, day]) => ({ app_user_id, day }))))
    const kept = () => db.read((tx) => tx.analytics.activeByDay(all))
    const events = (...given: ReadonlyArray<readonly [user: string, name: string, at: string]>) =>
      db.read((tx) =>
        tx.events.insert(
          given.map(([app_user_id, event_name, at]) => anEvent({ app_user_id, event_name, occurred_at: new Date(at) })),
          { enqueue: false },
        ),
      )

    it("are kept once per user and day, however often they are added", async () => {
      const [ada, bob] = [await user(), await user()]
      await add([ada, "2026-03-01"], [ada, "2026-03-01"], [bob, "2026-03-01"], [ada, "0002-01-01"])
      await add([ada, "2026-03-01"], [bob, "9999-12-31"])
      await add()
      expect(await kept()).toEqual([
        { date: "0002-01-01", users: 1 },
        { date: "2026-03-01", users: 2 },
        { date: "9999-12-31", users: 1 },
      ])
    })

    it("are kept of users who exist, and go with them", async () => {
      const [ada, bob] = [await user(), await user()]
      await add([anId(), "2026-03-01"], [ada, "2026-03-01"], [bob, "2026-03-01"])
      expect(await kept()).toEqual([{ date: "2026-03-01", users: 2 }])
      await db.transact((tx) => tx.users.remove({ id: ada }))
      expect(await kept()).toEqual([{ date: "2026-03-01", users: 1 }])
    })

    it("keep their new user from being removed, and wait for a removal", async () => {
      const ada = await user()
      const adding = beginOn(db)
      await adding.step((tx) => tx.activeDays.add([{ app_user_id: ada, day: "2026-03-01" }]))
      const removed = db.transact((tx) => tx.users.remove({ id: ada }))
      expect(await isWaiting(removed)).toBe(true)
      await adding.commit()
      expect(await removed).toBe(1)
      expect(await kept()).toEqual([])

      const bob = await user()
      const removing = beginOn(db)
      await removing.step((tx) => tx.users.remove({ id: bob }))
      const added = add([bob, "2026-03-01"])
      expect(await isWaiting(added)).toBe(true)
      await removing.commit()
      await added
      expect(await kept()).toEqual([])
    })

    it("are added by many at once in any order", async () => {
      const users = await Promise.all(Array.from({ length: 20 }, user))
      const days = users.map((id) => [id, "2026-03-01"] as const)
      await Promise.all([add(...days), add(...days.toReversed()), add(...days.slice(5)), add(...days.toReversed())])
      expect(await kept()).toEqual([{ date: "2026-03-01", users: 20 }])
    })

    it("are added from stored events that are activity, by the UTC day of occurred_at [G0.4]", async () => {
      const [ada, bob] = [await user(), await user()]
      await events(
        [ada, "lesson", "2026-03-01T23:59:59.999Z"],
        [ada, "lesson", "2026-03-01T00:00:00.000Z"],
        [ada, "session_started", "2026-03-02T00:00:00.000Z"],
        [ada, "session_ended", "2026-03-03T12:00:00.000Z"],
        [ada, "subscription_renewal", "2026-03-04T12:00:00.000Z"],
        [bob, "push_opened", "2026-03-02T12:00:00.000Z"],
      )
      expect(await db.transact((tx) => tx.activeDays.addFromEvents(null, 100))).toBeNull()
      const expected = [
        { date: "2026-03-01", users: 1 },
        { date: "2026-03-02", users: 2 },
      ]
      expect(await kept()).toEqual(expected)
      expect(await db.transact((tx) => tx.activeDays.addFromEvents(null, 100))).toBeNull()
      expect(await kept()).toEqual(expected)
    })

    it("are added slice by slice, each event in one of them", async () => {
      const ada = await user()
      await events(...["01", "02", "03", "04", "05"].map((day) => [ada, "lesson", `2026-03-${day}T12:00:00Z`] as const))
      const counts: Array<number> = []
      let after: string | null = null
      do {
        after = await db.transact((tx) => tx.activeDays.addFromEvents(after, 2))
        counts.push((await kept()).length)
      } while (after !== null)
      expect(counts).toEqual([2, 4, 5])
      expect(await db.transact((tx) => tx.activeDays.addFromEvents(null, 5))).not.toBeNull()
    })
  })
