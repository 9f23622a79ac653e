import { type StoredSection, sectionLine, storedSections, type TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anAchievement, aUserAchievement } from "../achievements/builders.ts"
import { anAccountLink } from "../auth/builders.ts"
import { anId } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText, earlyInstant, lateInstant } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { anEntitlement } from "../entitlements/builders.ts"
import { anEvent } from "../events/builders.ts"
import { aLeaderboard, aLeaderboardEntry } from "../leaderboards/builders.ts"
import { aPushToken } from "../push/builders.ts"
import { aStreakDefinition, aStreakPeriod } from "../streaks/builders.ts"
import { aUser } from "../users/builders.ts"
import { wholeFile } from "./exports.contract.ts"

type Rows = Partial<Record<StoredSection, ReadonlyArray<object>>>

/** A user with at least two rows in every section that can be written, each in the order of its key. */
const writeEverything = Effect.fnUntraced(function* (db: TenantDb) {
  const user = aUser({
    ...{ email: awkwardText, display_name: "=1", external_id: '"', avatar_url: null, password_hash: "secret-hash" },
    ...{
      properties: awkwardJson,
      auth_providers: [{ provider: "idp_a", provider_id: awkwardText }],
      is_disabled: true,
    },
    ...{ first_seen_at: earlyInstant, last_seen_at: lateInstant, created_at: awkwardInstant },
  })
  yield* db.users.insert(user)
  const mine = { app_user_id: user.id }
  const links = [anAccountLink({ ...mine, provider_id: awkwardText }), anAccountLink(mine)]
  yield* Effect.forEach(links, db.accountLinks.insert)
  const devices = [aPushToken({ ...mine, token: awkwardText }), aPushToken({ ...mine, is_active: false })]
  yield* Effect.forEach(devices, db.pushTokens.insert)
  const entitlements = [
    anEntitlement({ ...mine, raw_data: awkwardJson, store: awkwardText, expiration_date: lateInstant }),
    anEntitlement(mine),
  ]
  yield* Effect.forEach(entitlements, db.entitlements.insert)
  const streaks = [aStreakDefinition(), aStreakDefinition()]
  yield* Effect.forEach(streaks, db.streakDefinitions.insert)
  const periods = streaks.flatMap(({ id }) =>
    (["0001-01-01", "2026-01-01", "2026-01-02"] as const).map((period_key) =>
      aStreakPeriod({ ...mine, streak_definition_id: id, period_key, kind: id > "5" ? "freeze" : "done" }),
    ),
  )
  yield* db.userStreaks.addPeriods(periods.toReversed())
  const achievements = [anAchievement(), anAchievement()]
  yield* Effect.forEach(achievements, db.achievements.insert)
  const unlocked = achievements.map(({ id }) => aUserAchievement({ ...mine, achievement_id: id }))
  yield* Effect.forEach(unlocked, db.userAchievements.insert)
  const board = aLeaderboard()
  yield* db.leaderboards.insert(board)
  const scores = [0, 0.1, -1e300, 1e21, 5e-324, 123456789.125]
  const entries = scores.map((score, at) =>
    aLeaderboardEntry({
      ...mine,
      leaderboard_id: board.id,
      score,
      rank: at === 0 ? null : at,
      window_start: `2026-01-0${at + 1}`,
    }),
  )
  yield* Effect.forEach(entries, db.leaderboardEntries.insert)
  const events = [
    anEvent({ ...mine, occurred_at: earlyInstant, properties: awkwardJson }),
    anEvent(mine),
    anEvent(mine),
  ]
  yield* db.events.insert(events.toReversed(), { enqueue: false })
  const rows: Rows = {
    ...{ app_users: [user], account_links: links, push_tokens: devices, user_entitlements: entitlements },
    ...{ streak_events: periods, user_achievements: unlocked, leaderboard_entries: entries, engagement_events: events },
  }
  return { userId: user.id, rows }
})

const sections = Object.keys(storedSections) as ReadonlyArray<StoredSection>
// Nobody can write members of segments through the port yet.
const written = sections.filter((section) => section !== "segment_memberships")

/** What a project promises about the sections of the file about one user. */
export const sectionsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("sections of the file about a user", () => {
    let db: DatabaseUnderTest<TenantDb>
    let userId = ""
    let rows: Rows = {}
    beforeAll(async () => {
      db = await open()
      const made = await db.transact((tx) => Effect.orDie(writeEverything(tx)))
      userId = made.userId
      rows = made.rows
    })

    const textOf = async (section: StoredSection, id: string, limit: number) => {
      const budget = { rows: limit, bytes: 1_000_000 }
      const pages = await wholeFile((after) => db.read((tx) => tx.exports.section(section, id, after, budget)))
      return pages.map(({ text }) => text).join("")
    }

    it.for(written)("%s: every row once, by its key, as the core writes it", async (section) => {
      const expected = (rows[section] ?? [])
        .map((row) => sectionLine(section, storedSections[section].columns, { ...row }))
        .join("")
      expect(expected).not.toBe("")
      expect(await textOf(section, userId, 1_000)).toBe(expected)
      expect(await textOf(section, userId, 1)).toBe(expected)
      expect(expected).not.toMatch(/secret-hash|undefined/)
    })

    it.for(sections)("%s: nothing of a user who has nothing", async (section) => {
      expect(await textOf(section, anId(), 1_000)).toBe("")
    })
  })
