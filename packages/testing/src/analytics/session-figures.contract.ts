import type { TenantDb } from "@hearth/core"
import type { TrackingSessionRow } from "@hearth/core/tracking-sessions"
import { Effect } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aTrackingSession } from "../tracking-sessions/builders.ts"
import { writeUser } from "../users/tables.ts"

const since = new Date("2026-03-01T00:00:00.000Z")
const until = new Date("2026-04-01T00:00:00.000Z")
const lapsed = new Date("2026-03-31T12:00:00.000Z")
const nothing = { total_sessions: 0, users: 0, mean_duration_seconds: 0, median_duration_seconds: 0 }

/** What a project promises about the figures of its sessions [H5.2]. */
export const sessionFiguresContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("figures of sessions", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.users.remove({})))

    const user = () => db.transact(writeUser)
    const write = (...rows: ReadonlyArray<TrackingSessionRow>) =>
      db.transact((tx) => Effect.orDie(Effect.forEach(rows, tx.trackingSessions.insert)))
    const figures = (range = { since, until }) => db.read((tx) => tx.analytics.sessions(range, lapsed))
    const ended = (app_user_id: string, seconds: number, given: Partial<TrackingSessionRow> = {}) =>
      aTrackingSession({ app_user_id, started_at: since, ended_at: since, duration_seconds: seconds, ...given })

    it("are zeros and empty lists without sessions", async () => {
      expect(await figures()).toEqual({ ...nothing, days: [], platforms: [], app_versions: [] })
    })

    it("count sessions and their users by the UTC day of the start; days without any are left out [A12]", async () => {
      const [ada, bob] = [await user(), await user()]
      const at = (instant: string) => ({ started_at: new Date(instant) })
      await write(
        ended(ada, 1, at("2026-03-01T00:00:00.000Z")),
        ended(ada, 1, at("2026-03-01T23:59:59.999Z")),
        ended(bob, 1, at("2026-03-01T12:00:00.000Z")),
        ended(ada, 1, at("2026-03-31T23:59:59.999Z")),
        ended(ada, 1, at("2026-02-28T23:59:59.999Z")),
        ended(bob, 1, at("2026-04-01T00:00:00.000Z")),
      )
      expect(await figures()).toMatchObject({
        ...{ total_sessions: 4, users: 2 },
        days: [
          { date: "2026-03-01", sessions: 3, users: 2 },
          { date: "2026-03-31", sessions: 1, users: 1 },
        ],
      })
      expect(await figures({ since, until: since })).toMatchObject(nothing)
    })

    it.for([
      [[10], 10, 10],
      [[10, 11], 11, 11],
      [[0, 0, 1], 0, 0],
      [[1, 2, 3, 100], 27, 3],
      [[5, 1, 3], 3, 3],
      [[2_147_483_647, 2_147_483_647], 2_147_483_647, 2_147_483_647],
    ] as const)("have mean and median of %s in whole seconds", async ([durations, mean, median]) => {
      const ada = await user()
      await write(...durations.map((seconds) => ended(ada, seconds)))
      expect(await figures()).toMatchObject({ mean_duration_seconds: mean, median_duration_seconds: median })
    })

    it("have durations of those that have ended or lapsed, not of open ones [H5.1]", async () => {
      const ada = await user()
      const seen = (last_seen_at: Date, duration_seconds: number) =>
        aTrackingSession({ app_user_id: ada, started_at: since, last_seen_at, duration_seconds })
      await write(seen(new Date(lapsed.getTime() + 1), 1_000), seen(lapsed, 30), ended(ada, 10))
      expect(await figures()).toMatchObject({
        ...{ total_sessions: 3, mean_duration_seconds: 20, median_duration_seconds: 20 },
      })
    })

    it("list platforms by sessions, then by name, those without one last", async () => {
      const [ada, bob] = [await user(), await user()]
      const platforms = ["web", "web", "ios", "android", null, "Android", "", "\u{1F98A}", "\uFF5E", null, "web"]
      await write(...platforms.map((platform, at) => ended(at % 2 === 0 ? ada : bob, 1, { platform })))
      const { platforms: listed } = await figures()
      expect(listed).toEqual([
        { platform: "web", sessions: 3, users: 2 },
        { platform: null, sessions: 2, users: 2 },
        ...["", "Android", "android", "ios", "\uFF5E", "\u{1F98A}"].map((platform) => ({
          ...{ platform, sessions: 1, users: 1 },
        })),
      ])
    })

    it("list the 10 app versions with the most sessions, and 100 platforms", async () => {
      const ada = await user()
      const names = Array.from({ length: 101 }, (_, at) => String(at).padStart(3, "0"))
      await write(
        ...names.map((name) => ended(ada, 1, { app_version: name, platform: name })),
        ended(ada, 1, { app_version: "100", platform: "100" }),
        ended(ada, 1),
      )
      const { app_versions, platforms } = await figures()
      expect(app_versions.map(({ app_version }) => app_version)).toEqual(["100", ...names.slice(0, 9)])
      expect(app_versions[0]).toEqual({ app_version: "100", sessions: 2, users: 1 })
      expect(platforms).toHaveLength(100)
      expect(platforms.at(-1)).toMatchObject({ platform: "098" })
    })
  })
