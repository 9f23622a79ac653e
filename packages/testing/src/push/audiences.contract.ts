import type { TenantDb } from "@hearth/core"
import type { AudienceQuery, AudienceZone, PushToken } from "@hearth/core/push"
import type { UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aSegment } from "../segments/builders.ts"
import { parseValidRules } from "../segments/contract-fixtures.ts"
import { aUser } from "../users/builders.ts"
import { aPushToken } from "./builders.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const all: AudienceQuery = { segment_id: null, rules: null }
const named = (...names: ReadonlyArray<string>) =>
  parseValidRules({ operator: "OR", conditions: names.map((value) => ({ field: "display_name", op: "eq", value })) })

const zone = (timezone: string | null, users: number, devices: Partial<AudienceZone> = {}): AudienceZone => ({
  ...{ timezone, users, ios: 0, android: 0, web: 0 },
  ...devices,
})

/** What a project promises about whom pushes are for. */
export const pushAudiencesContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("audiences of pushes", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.users.remove({})))

    const user = async (
      display_name: string,
      given: Partial<UserRow> = {},
      devices: ReadonlyArray<Partial<PushToken>> = [{}],
    ) => {
      const row = aUser({ display_name, ...given })
      await db.transact((tx) =>
        Effect.orDie(
          Effect.andThen(
            tx.users.insert(row),
            Effect.forEach(devices, (device) => tx.pushTokens.insert(aPushToken({ app_user_id: row.id, ...device }))),
          ),
        ),
      )
      return row
    }
    const count = (audience: AudienceQuery = all) => db.read((tx) => tx.pushAudiences.countZones(audience, now))
    const sample = async (zones: ReadonlyArray<string | null>, size = 10, audience: AudienceQuery = all) =>
      (await db.read((tx) => tx.pushAudiences.sample(audience, now, zones, size))).map((row) => row.display_name)

    it("are users with an active device who are not disabled, by time zone", async () => {
      expect(await count()).toEqual([])
      const inactive = { is_active: false }
      await user("none", {}, [])
      await user("gone", {}, [inactive, inactive])
      await user("disabled", { is_disabled: true })
      expect(await count()).toEqual([])
      await user("al", { timezone: "Europe/Berlin" }, [{}, { platform: "android", provider: "push_b" }, inactive])
      await user("bo", { timezone: "Europe/Berlin" }, [{ platform: "web" }])
      await user("cy", { timezone: null })
      await user("di", { timezone: "America/New_York" }, [{ platform: "android" }, { platform: "android" }])
      expect(await count()).toEqual([
        zone(null, 1, { ios: 1 }),
        zone("America/New_York", 1, { android: 2 }),
        zone("Europe/Berlin", 2, { ios: 1, android: 1, web: 1 }),
      ])
    })

    it("are the members of a segment by its rules at that moment, and those added by hand", async () => {
      const [al, bo] = [await user("al"), await user("bo")]
      await user("cy")
      const segment = aSegment()
      await db.transact((tx) =>
        Effect.orDie(
          Effect.andThen(tx.segments.insert(segment), tx.segmentMembers.add([segment.id], [al.id, bo.id], now)),
        ),
      )
      const of = (rules: AudienceQuery["rules"], segment_id = segment.id) => count({ segment_id, rules })
      expect(await of(null)).toEqual([zone(null, 2, { ios: 2 })])
      expect(await of(named("bo", "cy"))).toEqual([zone(null, 3, { ios: 3 })])
      expect(await of(named("nobody"))).toEqual([zone(null, 2, { ios: 2 })])
      expect([await of(null, anId()), await of(named("cy"), anId())]).toEqual([[], [zone(null, 1, { ios: 1 })]])
      const before = await db.read((tx) => tx.segments.find({ id: segment.id }))
      expect(before).toMatchObject({ value: { user_count: 2, last_evaluated_at: null } })
    })

    it("show some of their users in the zones that are asked for, the latest active first", async () => {
      const seen = (minutes: number) => ({ last_seen_at: new Date(now.getTime() - minutes * 60_000) })
      await user("al", { timezone: "Europe/Berlin", ...seen(2) }, [{}, {}])
      await user("bo", { timezone: "Europe/Berlin", ...seen(1) })
      await user("cy", seen(0))
      await user("di", { timezone: "America/New_York", ...seen(3) })
      await user("ed", { ...seen(0), is_disabled: true })
      expect(await sample([null, "Europe/Berlin", "America/New_York"])).toEqual(["cy", "bo", "al", "di"])
      expect(await sample([null, "Europe/Berlin"], 2)).toEqual(["cy", "bo"])
      expect([await sample(["Europe/Berlin"]), await sample([null]), await sample([])]).toEqual([
        ...[["bo", "al"], ["cy"], []],
      ])
      const segment_id = anId()
      expect(await sample([null, "Europe/Berlin"], 10, { segment_id, rules: named("al", "di") })).toEqual(["al"])
    })
  })
