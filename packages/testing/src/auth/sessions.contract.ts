import { type RefreshToken, type SessionFamily, type SessionStore, spentDays } from "@hearth/core/auth"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { builtAt } from "../builders.ts"
import { awkwardInstant } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aRefreshToken, aSessionFamily } from "./builders.ts"

/** A session store, and how to write and remove an owner of sessions. */
export interface SessionsCase<Db> {
  readonly sessions: (db: Db) => SessionStore
  /** Writes an owner and answers the id. */
  readonly owner: (db: Db) => Effect.Effect<string>
  readonly removeOwner: (db: Db, id: string) => Effect.Effect<unknown>
}

const at = (millis: number) => new Date(builtAt.getTime() + millis)

/** What the sessions of users and of developers promise. */
export const sessionsContract = <Db>(open: () => Promise<DatabaseUnderTest<Db>>, subject: SessionsCase<Db>) =>
  describe("sessions", () => {
    let db: DatabaseUnderTest<Db>
    beforeAll(async () => {
      db = await open()
    })

    const aSession = () =>
      db.transact((tx) =>
        Effect.gen(function* () {
          const { families, refreshTokens } = subject.sessions(tx)
          const family = aSessionFamily({ owner_id: yield* subject.owner(tx) })
          const token = aRefreshToken({ family_id: family.id })
          yield* families.insert(family)
          yield* refreshTokens.insert(token)
          return { family, token }
        }),
      )
    const familyOf = (id: string) =>
      db.read((tx) => Effect.map(subject.sessions(tx).families.find({ id }), Option.getOrNull))
    const tokenOf = (id: string) =>
      db.read((tx) => Effect.map(subject.sessions(tx).refreshTokens.find({ id }), Option.getOrNull))

    it("writes a session and its first refresh token together or not at all", async () => {
      const owner = await db.transact(subject.owner)
      const family = aSessionFamily({ owner_id: owner })
      const first = aRefreshToken({ family_id: family.id })
      await db.read((tx) => subject.sessions(tx).begin(family, first))
      expect([await familyOf(family.id), await tokenOf(first.id)]).toStrictEqual([family, first])
      const other = aSessionFamily({ owner_id: owner })
      const taken = await db.attemptRead((tx) => subject.sessions(tx).begin(other, { ...first, family_id: other.id }))
      expect(died(taken)).toBe(true)
      expect(await familyOf(other.id)).toBeNull()
      const strange = aSessionFamily({ owner_id: aSessionFamily({ owner_id: owner }).id })
      expect(
        died(
          await db.attemptRead((tx) => subject.sessions(tx).begin(strange, aRefreshToken({ family_id: strange.id }))),
        ),
      ).toBe(true)
    })

    it("removes, with the next sign-in, sessions of its owner that were not used for long and cannot be refreshed", async () => {
      const [day, owner, other] = [86_400_000, await db.transact(subject.owner), await db.transact(subject.owner)]
      const now = at(100 * day)
      const used = (days: number, expires_at: Date, owner_id = owner) =>
        db.transact((tx) =>
          Effect.gen(function* () {
            const last_used_at = new Date(now.getTime() - days * day)
            const family = aSessionFamily({ owner_id, created_at: at(0), last_used_at, revoked_at: null })
            yield* subject.sessions(tx).families.insert(family)
            yield* subject.sessions(tx).refreshTokens.insert(aRefreshToken({ family_id: family.id, expires_at }))
            return family.id
          }),
        )
      const spent = [await used(spentDays, now), await used(90, at(0))]
      const kept = [
        await used(spentDays - 0.001, at(0)),
        await used(90, new Date(now.getTime() + 1)),
        await used(90, at(0), other),
      ]
      const begin = async () => {
        const family = aSessionFamily({ owner_id: owner, created_at: now, last_used_at: now })
        await db.read((tx) => subject.sessions(tx).begin(family, aRefreshToken({ family_id: family.id })))
        return family.id
      }
      kept.push(await begin())
      const left = async (ids: ReadonlyArray<string>) =>
        (await Promise.all(ids.map(familyOf))).flatMap((each) => each?.id ?? [])
      expect([await left(spent), await left(kept)]).toEqual([[], kept])
      const many = await Promise.all(Array.from({ length: 101 }, () => used(90, at(0))))
      await begin()
      expect(await left(many)).toHaveLength(1)
      await begin()
      expect([await left(many), await left(kept)]).toEqual([[], kept])
    })

    it("rotates a refresh token once when several calls try at the same time", async () => {
      const { family, token } = await aSession()
      const rotate = (tx: Db) =>
        Effect.gen(function* () {
          const { families, refreshTokens } = subject.sessions(tx)
          yield* families.lock(family.id)
          const presented = Option.getOrThrow(yield* refreshTokens.find({ id: token.id }))
          if (presented.revoked_at !== null) return false
          yield* refreshTokens.update(token.id, { revoked_at: awkwardInstant })
          yield* refreshTokens.insert(aRefreshToken({ family_id: family.id }))
          return true
        })
      const won = await Promise.all(Array.from({ length: 6 }, () => db.transact(rotate)))
      expect(won.filter(Boolean)).toHaveLength(1)
      const live = await db.read((tx) =>
        subject.sessions(tx).refreshTokens.list({ family_id: family.id, revoked_at: null }, []),
      )
      expect(live).toHaveLength(1)
    })

    it("removes a session with its owner, and refresh tokens with their session", async () => {
      const [gone, kept] = [await aSession(), await aSession()]
      await db.transact((tx) => subject.removeOwner(tx, gone.family.owner_id))
      expect([await familyOf(gone.family.id), await tokenOf(gone.token.id)]).toEqual([null, null])
      expect([await familyOf(kept.family.id), await tokenOf(kept.token.id)]).toEqual([kept.family, kept.token])
      expect(await db.transact((tx) => subject.sessions(tx).families.remove({ id: kept.family.id }))).toBe(1)
      expect(await tokenOf(kept.token.id)).toBeNull()
    })

    it("removes the refresh tokens of one session that have expired, up to a thousand", async () => {
      const [mine, other] = [await aSession(), await aSession()]
      const add = (given: Partial<RefreshToken>) => {
        const token = aRefreshToken({ family_id: mine.family.id, ...given })
        return db.transact((tx) => Effect.as(subject.sessions(tx).refreshTokens.insert(token), token))
      }
      const removeExpired = (now: Date) =>
        db.transact((tx) => subject.sessions(tx).refreshTokens.removeExpired(mine.family.id, now))
      const left = () =>
        db.read((tx) => subject.sessions(tx).refreshTokens.list({ family_id: mine.family.id }, [["expires_at", "asc"]]))
      await add({ expires_at: at(1_000) })
      await add({ expires_at: at(999), revoked_at: at(1) })
      const later = await add({ expires_at: at(1_001) })
      await removeExpired(at(1_000))
      expect(await left()).toStrictEqual([later, mine.token])
      await removeExpired(mine.token.expires_at)
      expect([await left(), await tokenOf(other.token.id)]).toStrictEqual([[], other.token])
      await db.transact((tx) =>
        Effect.forEach(Array.from({ length: 1_001 }), () =>
          subject.sessions(tx).refreshTokens.insert(aRefreshToken({ family_id: mine.family.id, expires_at: at(5) })),
        ),
      )
      await removeExpired(at(5))
      expect(await left()).toHaveLength(1)
      expect(await familyOf(mine.family.id)).toStrictEqual(mine.family)
    })

    it("refuses a session without an owner and a token without a session", async () => {
      const { family } = await aSession()
      const orphan = aSessionFamily({ owner_id: aSessionFamily({ owner_id: family.owner_id }).id })
      const exit = await db.attempt((tx) => subject.sessions(tx).families.insert(orphan))
      expect(died(exit)).toBe(true)
      const token = aRefreshToken({ family_id: orphan.id })
      expect(died(await db.attempt((tx) => subject.sessions(tx).refreshTokens.insert(token)))).toBe(true)
      expect(await familyOf(orphan.id)).toBeNull()
    })

    describe("of an owner", () => {
      const owner = () => db.transact(subject.owner)
      const session = async (
        owner_id: string,
        given: Partial<SessionFamily> = {},
        tokens: ReadonlyArray<Partial<RefreshToken>> = [{}],
      ) => {
        const family = aSessionFamily({ owner_id, ...given })
        await db.transact((tx) =>
          Effect.gen(function* () {
            const { families, refreshTokens } = subject.sessions(tx)
            yield* families.insert(family)
            for (const one of tokens) yield* refreshTokens.insert(aRefreshToken({ family_id: family.id, ...one }))
          }),
        )
        return family
      }
      const live = (owner_id: string, now = at(0)) =>
        db.read((tx) => subject.sessions(tx).families.listLive(owner_id, now))
      const revokeAll = (owner_id: string, now: Date) =>
        db.transact((tx) => subject.sessions(tx).families.revokeAll(owner_id, now))

      it("lists the live ones with all columns, the last used first", async () => {
        const mine = await owner()
        const early = await session(mine, { last_used_at: at(1) })
        const late = await session(mine, { last_used_at: at(3) })
        const twins = [await session(mine, { last_used_at: at(2) }), await session(mine, { last_used_at: at(2) })]
        expect(await live(mine)).toStrictEqual([late, ...twins, early])
      })

      it("lists sessions that can be refreshed, each once", async () => {
        const mine = await owner()
        const spent = { revoked_at: at(0) }
        const rotated = await session(mine, {}, [spent, {}, spent])
        await session(mine, { revoked_at: at(0) })
        await session(mine, {}, [spent])
        await session(mine, {}, [])
        const ending = await session(mine, {}, [{ expires_at: at(1_000) }, { ...spent, expires_at: at(5_000) }])
        expect(await live(mine, at(999))).toStrictEqual([rotated, ending])
        expect(await live(mine, at(1_000))).toStrictEqual([rotated])
      })

      it("lists no sessions of other owners, and none of an unknown owner", async () => {
        const [mine, yours] = [await owner(), await owner()]
        const family = await session(mine)
        await session(yours)
        expect(await live(mine)).toStrictEqual([family])
        expect(await live(family.id)).toEqual([])
      })

      it("revokes all of them, and changes neither revoked ones nor those of other owners", async () => {
        const [mine, yours] = [await owner(), await owner()]
        const open = [await session(mine), await session(mine, {}, [])]
        const ended = await session(mine, { revoked_at: at(1) })
        const other = await session(yours)
        await revokeAll(mine, at(5))
        for (const family of open) expect(await familyOf(family.id)).toStrictEqual({ ...family, revoked_at: at(5) })
        for (const family of [ended, other]) expect(await familyOf(family.id)).toStrictEqual(family)
        expect(await live(mine)).toEqual([])
        await revokeAll(mine, at(9))
        expect((await familyOf(open[0]?.id ?? ""))?.revoked_at).toEqual(at(5))
        await revokeAll(ended.id, at(9))
      })

      it("rolls the revocation back with the transaction", async () => {
        const family = await session(await owner())
        const revoke = (tx: Db) => subject.sessions(tx).families.revokeAll(family.owner_id, at(5))
        await db.attempt((tx) => Effect.andThen(revoke(tx), Effect.fail("no")))
        expect(await familyOf(family.id)).toStrictEqual(family)
      })
    })
  })
