import { Duplicate, type TenantDb } from "@hearth/core"
import type { MagicLink } from "@hearth/core/auth"
import type { UserRow } from "@hearth/core/users"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt } from "../builders.ts"
import { awkwardInstant, awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died, failureOf } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { aUser } from "../users/builders.ts"
import { aMagicLink, anAccountLink, aRefreshToken, aSessionFamily } from "./builders.ts"

const at = (millis: number) => new Date(builtAt.getTime() + millis)

/** What a project promises about identities and magic links, beyond their tables. */
export const signInsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) => {
  describe("sign-ups", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const aSignUp = (given: Partial<UserRow> = {}) => {
      const user = aUser(given)
      const family = aSessionFamily({ owner_id: user.id })
      return { user, family, token: aRefreshToken({ family_id: family.id }) }
    }
    type SignUp = ReturnType<typeof aSignUp>
    const insert =
      ({ user, family, token }: SignUp) =>
      (tx: TenantDb) =>
        tx.signUps.insert(user, family, token)
    const stored = ({ user, family, token }: SignUp) =>
      db.read((tx) =>
        Effect.all([
          Effect.map(tx.users.find({ id: user.id }), Option.getOrNull),
          Effect.map(tx.authSessions.families.find({ id: family.id }), Option.getOrNull),
          Effect.map(tx.authSessions.refreshTokens.find({ id: token.id }), Option.getOrNull),
        ]),
      )
    const nothing = [null, null, null]

    it.each(["read", "transact"] as const)("write user, session and refresh token in every column: %s", async (how) => {
      const signUp = aSignUp({
        email: `${awkwardText} ${how}`,
        auth_providers: [{ provider: "idp_a", provider_id: awkwardText }],
        properties: { text: awkwardText },
        last_seen_at: awkwardInstant,
        timezone: "Europe/Rome",
      })
      await db[how](insert(signUp))
      expect(await stored(signUp)).toStrictEqual([signUp.user, signUp.family, signUp.token])
    })

    it.each(["attemptRead", "attempt"] as const)("write nothing where a key of the user is taken: %s", async (how) => {
      const known = aSignUp({ email: `${anId()}@example.com`, external_id: anId() })
      await db.read(insert(known))
      for (const key of ["id", "anonymous_id", "email", "external_id"] as const) {
        const other = aSignUp({ [key]: known.user[key] })
        const refused = await db[how](insert(other))
        expect(failureOf(refused)).toEqual(new Duplicate({ key: [key] }))
        expect(await stored(other)).toEqual(key === "id" ? [known.user, null, null] : nothing)
      }
    })

    it.each(["attemptRead", "attempt"] as const)(
      "write nothing where the session is no session of the user: %s",
      async (how) => {
        const [known, other, strange, taken] = [aSignUp(), aSignUp(), aSignUp(), aSignUp()]
        await db.read(insert(known))
        const broken = [
          { ...other, family: { ...other.family, owner_id: anId() } },
          { ...strange, token: { ...strange.token, family_id: anId() } },
          { ...taken, token: { ...taken.token, id: known.token.id } },
        ]
        for (const signUp of broken) {
          expect(died(await db[how](insert(signUp)))).toBe(true)
          expect((await stored(signUp)).slice(0, 2)).toEqual([null, null])
        }
      },
    )

    it("are rolled back with the transaction", async () => {
      const signUp = aSignUp()
      await db.attempt((tx) => Effect.andThen(insert(signUp)(tx), Effect.fail("no")))
      expect(await stored(signUp)).toEqual(nothing)
    })
  })

  describe("sign-ins by password", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const aKnownUser = async (given: Partial<UserRow> = {}) => {
      const user = {
        ...aUser({ email: `${anId()}@example.com`, last_seen_at: at(0), ...given }),
        password_hash: "first",
      }
      await db.transact((tx) => Effect.orDie(tx.users.insert(user)))
      return user
    }
    const aSession = (owner_id: string) => {
      const family = aSessionFamily({ owner_id })
      return { family, token: aRefreshToken({ family_id: family.id }) }
    }
    type Session = ReturnType<typeof aSession>
    const insert =
      (known: { readonly id: string; readonly password_hash: string }, { family, token }: Session, seen: Date | null) =>
      (tx: TenantDb) =>
        Effect.map(tx.signIns.insert(known, family, token, seen), Option.getOrNull)
    const stored = (id: string, { family, token }: Session) =>
      db.read((tx) =>
        Effect.all([
          Effect.map(tx.users.find({ id }), Option.getOrNull),
          Effect.map(tx.authSessions.families.find({ id: family.id }), Option.getOrNull),
          Effect.map(tx.authSessions.refreshTokens.find({ id: token.id }), Option.getOrNull),
        ]),
      )

    it.each(["read", "transact"] as const)(
      "write the session, and answer every column of the user: %s",
      async (how) => {
        const user = await aKnownUser({ properties: { text: awkwardText }, timezone: "Europe/Rome" })
        const session = aSession(user.id)
        expect(await db[how](insert(user, session, awkwardInstant))).toStrictEqual(user)
        const isLater = awkwardInstant > user.last_seen_at
        const seen = { ...user, last_seen_at: isLater ? awkwardInstant : user.last_seen_at }
        expect(await stored(user.id, session)).toStrictEqual([seen, session.family, session.token])
      },
    )

    it("move `last_seen_at` forward, never back", async () => {
      const user = await aKnownUser()
      const seenAfter = async (seen: Date | null) => {
        await db.read(insert(user, aSession(user.id), seen))
        return (await stored(user.id, aSession(user.id)))[0]?.last_seen_at
      }
      expect(await seenAfter(at(5_123))).toEqual(at(5_123))
      expect(await seenAfter(at(5_000))).toEqual(at(5_123))
      expect(await seenAfter(null)).toEqual(at(5_123))
    })

    it("write nothing for who is not there, is disabled, or has another password", async () => {
      const [user, other] = [await aKnownUser(), await aKnownUser()]
      const disabled = await aKnownUser({ is_disabled: true })
      for (const known of [{ ...user, id: anId() }, disabled, { ...other, password_hash: "second" }]) {
        const session = aSession(user.id)
        expect(await db.read(insert(known, session, at(9)))).toBeNull()
        expect((await stored(known.id, session)).slice(1)).toEqual([null, null])
      }
      expect((await stored(other.id, aSession(other.id)))[0]?.last_seen_at).toEqual(at(0))
    })

    it("write nothing where the session is no session of the user", async () => {
      const user = await aKnownUser()
      const session = aSession(user.id)
      const strange = { ...session, token: { ...session.token, family_id: anId() } }
      expect(died(await db.attemptRead(insert(user, strange, at(9))))).toBe(true)
      expect(await stored(user.id, session)).toEqual([user, null, null])
    })

    it.each([
      ["the password", { password_hash: "second" }],
      ["the user", { is_disabled: true }],
    ])("wait for who changes %s at the same time", async (_, changes) => {
      const user = await aKnownUser()
      const session = aSession(user.id)
      const other = beginOn(db)
      await other.step((tx) => tx.users.lock(user.id))
      const signIn = db.read(insert(user, session, at(9)))
      expect(await isWaiting(signIn)).toBe(true)
      await other.step((tx) => Effect.orDie(tx.users.update(user.id, changes)))
      await other.commit()
      expect(await signIn).toBeNull()
      expect((await stored(user.id, session)).slice(1)).toEqual([null, null])
    })

    it("are rolled back with the transaction", async () => {
      const user = await aKnownUser()
      const session = aSession(user.id)
      await db.attempt((tx) => Effect.andThen(insert(user, session, at(9))(tx), Effect.fail("no")))
      expect(await stored(user.id, session)).toEqual([user, null, null])
    })
  })

  describe("account links", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const linkedUser = async () => {
      const user = aUser()
      const links = [
        anAccountLink({ app_user_id: user.id }),
        anAccountLink({ app_user_id: user.id, provider: "idp_b" }),
      ]
      await db.transact((tx) =>
        Effect.orDie(
          Effect.andThen(
            tx.users.insert(user),
            Effect.forEach(links, (link) => tx.accountLinks.insert(link), { discard: true }),
          ),
        ),
      )
      return { user, links }
    }
    const linksOf = (app_user_id: string) =>
      db.read((tx) => tx.accountLinks.list({ app_user_id }, [["provider", "asc"]]))

    it("are removed with their user, after which another user can link the identity", async () => {
      const [gone, kept] = [await linkedUser(), await linkedUser()]
      await db.transact((tx) => tx.users.remove({ id: gone.user.id }))
      expect(await linksOf(gone.user.id)).toEqual([])
      expect(await linksOf(kept.user.id)).toStrictEqual(kept.links)
      for (const link of gone.links) {
        await db.transact((tx) => Effect.orDie(tx.accountLinks.insert({ ...link, app_user_id: kept.user.id })))
      }
      expect(await linksOf(kept.user.id)).toHaveLength(4)
    })

    it("are refused without a user", async () => {
      const link = anAccountLink({ app_user_id: anId() })
      expect(died(await db.attempt((tx) => tx.accountLinks.insert(link)))).toBe(true)
    })

    it("differ by provider and by id, which is case-sensitive", async () => {
      const { user, links } = await linkedUser()
      const [first] = links
      if (first === undefined) throw new Error("Two were made.")
      for (const given of [{ provider: "idp_b" }, { provider_id: first.provider_id.toUpperCase() }]) {
        await db.transact((tx) => Effect.orDie(tx.accountLinks.insert({ ...first, id: anId(), ...given })))
      }
      expect(await linksOf(user.id)).toHaveLength(4)
    })
  })

  describe("magic links", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const link = async (given: Partial<MagicLink> = {}) => {
      const row = aMagicLink(given)
      await db.transact((tx) => Effect.orDie(tx.magicLinks.insert(row)))
      return row
    }
    const stored = (id: string) => db.read((tx) => Effect.map(tx.magicLinks.find({ id }), Option.getOrNull))
    const lock = (hash: string) => db.transact((tx) => tx.magicLinks.lockByHash(hash))

    it("are found by the hash of their token, used or not", async () => {
      const [fresh, used] = [await link(), await link({ used_at: at(1) })]
      expect(await lock(fresh.token_hash)).toStrictEqual(Option.some(fresh))
      expect(await lock(used.token_hash)).toStrictEqual(Option.some(used))
      expect(await lock(aMagicLink().token_hash)).toEqual(Option.none())
    })

    it("are used once when several calls try at the same time", async () => {
      const { id, token_hash } = await link()
      const use = (tx: TenantDb) =>
        Effect.gen(function* () {
          const { used_at } = Option.getOrThrow(yield* tx.magicLinks.lockByHash(token_hash))
          if (used_at !== null) return false
          yield* tx.magicLinks.update(id, { used_at: at(1) })
          return true
        })
      const won = await Promise.all(Array.from({ length: 8 }, () => db.transact(use)))
      expect(won.filter(Boolean)).toHaveLength(1)
    })

    it.for([
      ["and shows it used after a commit", Effect.void, at(1)],
      ["and shows it unused after a rollback", Effect.fail("no"), null],
    ] as const)("a lock makes others wait, %s", async ([, end, expected]) => {
      const { id, token_hash } = await link()
      const isHeld = Promise.withResolvers<void>()
      const otherIsDone = Promise.withResolvers<unknown>()
      const first = db.attempt((tx) =>
        Effect.gen(function* () {
          yield* tx.magicLinks.lockByHash(token_hash)
          isHeld.resolve()
          // A call that does not wait would be done by then.
          yield* Effect.promise(() => Promise.race([otherIsDone.promise, new Promise((go) => setTimeout(go, 100))]))
          yield* tx.magicLinks.update(id, { used_at: at(1) })
          yield* end
        }),
      )
      await isHeld.promise
      const found = await lock(token_hash)
      otherIsDone.resolve(found)
      expect(Option.getOrNull(found)?.used_at).toEqual(expected)
      await first
    })

    it("are removed when they expired before an instant, the oldest first", async () => {
      const years = (count: number) => at(-count * 31_536_000_000)
      const [gone, used] = [await link({ expires_at: years(9) }), await link({ expires_at: years(8), used_at: at(1) })]
      const [kept, later] = [await link({ expires_at: years(7) }), await link({ expires_at: years(6) })]
      const oldest = () => db.read((tx) => tx.magicLinks.oldest())
      const removeOld = (limit: number) => db.transact((tx) => tx.magicLinks.removeOld(years(7), limit))
      expect([await oldest(), await removeOld(1), await stored(gone.id)]).toEqual([years(9), 1, null])
      expect(await stored(used.id)).toStrictEqual(used)
      expect([await oldest(), await removeOld(5), await stored(used.id)]).toEqual([years(8), 1, null])
      expect([await stored(kept.id), await stored(later.id)]).toStrictEqual([kept, later])
      expect([await oldest(), await removeOld(5)]).toEqual([years(7), 0])
      await link({ token_hash: gone.token_hash })
      await db.transact((tx) => tx.magicLinks.removeOld(at(0), 100))
    })

    it("of an email are removed, whatever their state, without waiting for one that is locked", async () => {
      const ada = `${anId()}@example.com`
      const gone = [await link({ email: ada }), await link({ email: ada, used_at: at(1) })]
      const [kept, held] = [await link(), await link({ email: ada })]
      const locking = beginOn(db)
      await locking.step((tx) => tx.magicLinks.lockByHash(held.token_hash))
      await db.transact((tx) => tx.magicLinks.removeOf(ada))
      await locking.rollBack()
      expect(await Promise.all(gone.map(({ id }) => stored(id)))).toEqual([null, null])
      expect([await stored(kept.id), await stored(held.id)]).toStrictEqual([kept, held])
    })

    it("can be removed by several calls at the same time while one link is locked", async () => {
      for (let count = 0; count < 20; count += 1) await link({ expires_at: at(-count) })
      const held = await link({ expires_at: at(10_000) })
      const remove = () =>
        db.transact((tx) => Effect.andThen(tx.magicLinks.removeOld(at(1), 100), tx.magicLinks.insert(aMagicLink())))
      await Promise.all([lock(held.token_hash), ...Array.from({ length: 6 }, remove)])
      await remove()
      const left = await db.read((tx) => tx.magicLinks.list({}, [["expires_at", "asc"]]))
      expect(left.every(({ expires_at }) => expires_at >= at(1))).toBe(true)
    })
  })
}
