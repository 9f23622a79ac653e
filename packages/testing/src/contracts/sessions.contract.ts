import type { SessionStore } from "@hearth/core"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { aRefreshToken, aSessionFamily } from "../builders.ts"
import { awkwardInstant } from "./awkward-values.ts"
import { type DatabaseUnderTest, died } from "./database-under-test.ts"

/** The session store of a plane, and how to make and remove somebody who owns sessions. */
export interface SessionsCase<Db> {
  readonly sessions: (db: Db) => SessionStore
  /** Writes an owner and answers the id. */
  readonly owner: (db: Db) => Effect.Effect<string>
  readonly removeOwner: (db: Db, id: string) => Effect.Effect<unknown>
}

/** What the sessions of either plane promise. */
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

    it("locks a session that is there, and none where there is none", async () => {
      const { family } = await aSession()
      expect(await db.transact((tx) => subject.sessions(tx).families.lock(family.id))).toStrictEqual(
        Option.some(family),
      )
      const { id } = aSessionFamily({ owner_id: family.owner_id })
      expect(await db.transact((tx) => subject.sessions(tx).families.lock(id))).toEqual(Option.none())
    })

    it("rotates a session once, however many try at the same time", async () => {
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

    it("goes with its owner, and takes its tokens along", async () => {
      const [gone, kept] = [await aSession(), await aSession()]
      await db.transact((tx) => subject.removeOwner(tx, gone.family.owner_id))
      expect([await familyOf(gone.family.id), await tokenOf(gone.token.id)]).toEqual([null, null])
      expect([await familyOf(kept.family.id), await tokenOf(kept.token.id)]).toEqual([kept.family, kept.token])
      expect(await db.transact((tx) => subject.sessions(tx).families.remove({ id: kept.family.id }))).toBe(1)
      expect(await tokenOf(kept.token.id)).toBeNull()
    })

    it("cannot be without its owner, nor a token without its session", async () => {
      const { family } = await aSession()
      const orphan = aSessionFamily({ owner_id: aSessionFamily({ owner_id: family.owner_id }).id })
      const exit = await db.attempt((tx) => subject.sessions(tx).families.insert(orphan))
      expect(died(exit)).toBe(true)
      const token = aRefreshToken({ family_id: orphan.id })
      expect(died(await db.attempt((tx) => subject.sessions(tx).refreshTokens.insert(token)))).toBe(true)
      expect(await familyOf(orphan.id)).toBeNull()
    })
  })
