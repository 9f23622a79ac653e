import type { TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { anEvent } from "../events/builders.ts"
import { aUser } from "../users/builders.ts"

const midnight = (day: string) => new Date(`${day}T00:00:00.000Z`)
const march = { since: midnight("2026-03-01"), until: midnight("2026-04-01") }

/** What a project promises about active and new users, and about cohorts [H5.3]. */
export const figuresContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("figures of users", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.users.remove({})))

    const user = async (firstSeen: string, ...days: ReadonlyArray<string>) => {
      const { id, ...rest } = aUser({ first_seen_at: new Date(firstSeen) })
      await db.transact((tx) =>
        Effect.andThen(
          Effect.orDie(tx.users.insert({ ...rest, id })),
          tx.activeDays.add(days.map((day) => ({ app_user_id: id, day }))),
        ),
      )
    }
    const noon = "2026-01-01T12:00:00Z"

    it("count events and their users by the UTC hour in which they occurred; hours without any are left out [A12]", async () => {
      const [ada, bob] = [aUser(), aUser()]
      const events = (
        [
          [ada.id, "2026-02-28T23:59:59.999Z"],
          [ada.id, "2026-03-01T00:00:00.000Z"],
          [ada.id, "2026-03-01T00:59:59.999Z"],
          [bob.id, "2026-03-01T00:30:00.000Z"],
          [bob.id, "2026-03-01T05:00:00.000Z"],
          [bob.id, "2026-04-01T00:00:00.000Z"],
        ] as const
      ).map(([app_user_id, at]) => anEvent({ app_user_id, occurred_at: new Date(at) }))
      await db.transact((tx) => Effect.orDie(Effect.forEach([ada, bob], tx.users.insert)))
      await db.read((tx) => tx.events.insert(events, { enqueue: false }))
      const byHour = (range = march) => db.read((tx) => tx.analytics.eventsByHour(range))
      expect(await byHour()).toEqual([
        { hour: new Date("2026-03-01T00:00:00.000Z"), events: 3, users: 2 },
        { hour: new Date("2026-03-01T05:00:00.000Z"), events: 1, users: 1 },
      ])
      expect(await byHour({ since: march.until, until: march.since })).toEqual([])
    })

    it("count active users by day, both ends included; days without any are left out [A12]", async () => {
      await user(noon, "2026-02-28", "2026-03-01", "2026-03-05")
      await user(noon, "2026-03-05", "2026-03-06")
      const byDay = (first: string, last: string) => db.read((tx) => tx.analytics.activeByDay({ first, last }))
      expect(await byDay("2026-03-01", "2026-03-05")).toEqual([
        { date: "2026-03-01", users: 1 },
        { date: "2026-03-05", users: 2 },
      ])
      expect(await byDay("2026-03-02", "2026-03-04")).toEqual([])
    })

    it("count users of 30 days and of the last 7 once each, and their days", async () => {
      const month = { first: "2026-03-02", last: "2026-03-31" }
      const active = () => db.read((tx) => tx.analytics.activeUsers(month, "2026-03-25"))
      expect(await active()).toEqual({ wau: 0, mau: 0, active_days: 0 })
      await user(noon, "2026-03-01", "2026-04-01")
      await user(noon, "2026-03-02", "2026-03-24")
      await user(noon, "2026-03-25")
      await user(noon, "2026-03-03", "2026-03-30", "2026-03-31", "2026-04-02")
      expect(await active()).toEqual({ wau: 2, mau: 3, active_days: 6 })
    })

    it("count new users by the UTC day on which they were first seen [A12]", async () => {
      for (const at of [
        ...["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z", "2026-03-01T23:59:59.999Z"],
        ...["2026-03-31T23:59:59.999Z", "2026-04-01T00:00:00.000Z"],
      ])
        await user(at)
      expect(await db.read((tx) => tx.analytics.newByDay(march))).toEqual([
        { date: "2026-03-01", users: 2 },
        { date: "2026-03-31", users: 1 },
      ])
    })

    it("count cohorts by the Monday of the ISO week in UTC, and the weeks in which they were active", async () => {
      const range = { since: midnight("2026-03-02"), until: midnight("2026-03-23") }
      // A Sunday, then a Monday, of two weeks.
      await user("2026-03-01T23:59:59.999Z", "2026-03-09")
      await user("2026-03-02T00:00:00.000Z", "2026-03-01", "2026-03-02", "2026-03-08", "2026-03-16")
      await user("2026-03-08T23:59:59.999Z", "2026-03-08", "2026-03-22", "2026-03-23")
      await user("2026-03-09T00:00:00.000Z")
      await user("2026-03-23T00:00:00.000Z", "2026-03-23")
      const byWeek = <Row extends { readonly week: string }>(rows: ReadonlyArray<Row>) =>
        rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      expect(byWeek(await db.read((tx) => tx.analytics.cohortSizes(range)))).toEqual([
        { week: "2026-03-02", users: 2 },
        { week: "2026-03-09", users: 1 },
      ])
      expect(byWeek(await db.read((tx) => tx.analytics.cohortActivity(range)))).toEqual([
        { week: "2026-03-02", weeks_later: 0, users: 2 },
        { week: "2026-03-02", weeks_later: 2, users: 2 },
      ])
    })
  })
