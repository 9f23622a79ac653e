import type { TenantDb } from "@hearth/core"
import { ProfileRow, type UserRow } from "@hearth/core/users"
import { Effect, Option, Struct } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { aRefreshToken, aSessionFamily } from "../auth/builders.ts"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { anEntitlement } from "../entitlements/builders.ts"
import { aUser } from "./builders.ts"

const shown = (user: UserRow): ProfileRow => Struct.pick(user, Struct.keys(ProfileRow.fields))

const at = (millis: number) => new Date(Date.UTC(2026, 5, 1) + millis)

/** What a project promises about its users, beyond their table. */
export const usersContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("users", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = async (given: Partial<UserRow> = {}) => {
      const row = aUser(given)
      await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
      return row
    }
    const stored = (id: string) => db.read((tx) => Effect.map(tx.users.find({ id }), Option.getOrNull))

    it("has any number of users without an email or external id", async () => {
      const rows = [await user(), await user(), await user({ email: "", external_id: "" })]
      for (const row of rows) expect(await stored(row.id)).toStrictEqual(row)
    })

    it("answers what a user is shown of themselves with the entitlements, sorted by name", async () => {
      const [row, other] = [await user(), await user()]
      const entitlement = (
        app_user_id: string,
        entitlement_id: string,
        is_active: boolean,
        expiration_date: Date | null,
      ) => anEntitlement({ app_user_id, entitlement_id, is_active, expiration_date, raw_data: { secret: true } })
      const rows = [
        entitlement(row.id, "premium", true, at(0)),
        entitlement(row.id, "Extra", false, null),
        entitlement(other.id, "premium", true, null),
      ]
      await db.transact((tx) =>
        Effect.orDie(Effect.forEach(rows, (one) => tx.entitlements.insert(one), { discard: true })),
      )
      const summary = (index: number) => {
        const { id, entitlement_id, is_active, expiration_date } = rows[index] as (typeof rows)[number]
        return { id, entitlement_id, is_active, expiration_date }
      }
      const profile = await db.read((tx) => tx.users.profile(row.id))
      expect(profile).toStrictEqual(Option.some({ user: shown(row), entitlements: [summary(1), summary(0)] }))
      const bare = await user()
      expect(await db.read((tx) => tx.users.profile(bare.id))).toStrictEqual(
        Option.some({ user: shown(bare), entitlements: [] }),
      )
      expect(await db.read((tx) => tx.users.profile(anId()))).toEqual(Option.none())
    })

    it("answers the time zones of the users who exist", async () => {
      const [berlin, none] = [await user({ timezone: "Europe/Berlin" }), await user()]
      const zones = (ids: ReadonlyArray<string>) => db.transact((tx) => tx.users.lockZones(ids))
      expect(await zones([berlin.id, anId(), none.id, berlin.id])).toEqual(
        new Map([
          [berlin.id, "Europe/Berlin"],
          [none.id, null],
        ]),
      )
      expect(await zones([])).toEqual(new Map())
    })

    it("moves `last_seen_at` forward, never back", async () => {
      const [early, late, untouched] = [
        await user({ last_seen_at: at(0) }),
        await user({ last_seen_at: at(5_000) }),
        await user({ last_seen_at: at(1) }),
      ]
      await db.transact((tx) =>
        tx.users.seen([
          { id: early.id, at: at(2_000) },
          { id: early.id, at: at(3_123) },
          { id: early.id, at: at(1_000) },
          { id: early.id, at: null },
          { id: late.id, at: at(4_999) },
          { id: untouched.id, at: null },
          { id: anId(), at: at(9_000) },
        ]),
      )
      expect(await stored(early.id)).toStrictEqual({ ...early, last_seen_at: at(3_123) })
      expect(await stored(late.id)).toStrictEqual(late)
      expect(await stored(untouched.id)).toStrictEqual(untouched)
      await db.transact((tx) => tx.users.seen([]))
    })

    describe("live sessions", () => {
      const session = async (revoked_at: Date | null = null) => {
        const owner = await user()
        const family = aSessionFamily({ owner_id: owner.id, revoked_at })
        await db.transact((tx) => Effect.orDie(tx.authSessions.families.insert(family)))
        return { owner: owner.id, family: family.id }
      }
      const isLive = (owner: string, family: string) => db.read((tx) => tx.users.hasLiveSession(owner, family))

      it("are live until they are revoked", async () => {
        const [live, ended] = [await session(), await session(at(0))]
        expect(await isLive(live.owner, live.family)).toBe(true)
        expect(await isLive(ended.owner, ended.family)).toBe(false)
        await db.transact((tx) => Effect.orDie(tx.authSessions.families.update(live.family, { revoked_at: at(1) })))
        expect(await isLive(live.owner, live.family)).toBe(false)
      })

      it("are live also when their refresh tokens have expired", async () => {
        const { family, owner } = await session()
        const token = aRefreshToken({ family_id: family, expires_at: new Date(0), revoked_at: at(0) })
        await db.transact((tx) => Effect.orDie(tx.authSessions.refreshTokens.insert(token)))
        expect(await isLive(owner, family)).toBe(true)
      })

      it("are live for their owner only", async () => {
        const [mine, yours] = [await session(), await session()]
        expect(await isLive(mine.owner, yours.family)).toBe(false)
        expect(await isLive(mine.owner, anId())).toBe(false)
        expect(await isLive(anId(), mine.family)).toBe(false)
      })

      it("are not live while their user is disabled, or after the user is removed", async () => {
        const { family, owner } = await session()
        const disable = (is_disabled: boolean) =>
          db.transact((tx) => Effect.orDie(tx.users.update(owner, { is_disabled })))
        await disable(true)
        expect(await isLive(owner, family)).toBe(false)
        await disable(false)
        expect(await isLive(owner, family)).toBe(true)
        await db.transact((tx) => tx.users.remove({ id: owner }))
        expect(await isLive(owner, family)).toBe(false)
      })
    })
  })
