import type { TenantDb } from "@hearth/core"
import { referralClaimsSection } from "@hearth/core/referrals"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { awkwardJson } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aReferralClaim, aReferralCode, aReferralProgram } from "./builders.ts"

/** What a project promises about codes of referrals, and about their claims. */
export const referralsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("codes of referrals", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = () => db.transact(writeUser)
    const insertNew = (row: ReturnType<typeof aReferralCode>) => db.transact((tx) => tx.referralCodes.insertNew(row))

    it("are written unless their text is taken, and the transaction goes on", async () => {
      const first = aReferralCode({ reward_referrer: awkwardJson, reward_referee: { xp: 5 }, max_uses: 3 })
      expect(await insertNew(first)).toBe(true)
      const [second, third] = [aReferralCode({ code: first.code }), aReferralCode()]
      const written = await db.transact((tx) =>
        Effect.all([tx.referralCodes.insertNew(second), tx.referralCodes.insertNew(third)]),
      )
      expect(written).toEqual([false, true])
      const found = await db.read((tx) => tx.referralCodes.find({ code: first.code }))
      expect(Option.getOrNull(found)).toStrictEqual(first)
    })

    it("are written once by many at once", async () => {
      const rows = Array.from({ length: 6 }, () => aReferralCode({ code: "AT-ONCE" }))
      const written = await Promise.all(rows.map(insertNew))
      expect(written.filter(Boolean)).toHaveLength(1)
    })

    it("go with their user; claims go with the claimer alone", async () => {
      const [owner, claimer, other] = [await user(), await user(), await user()]
      const code = aReferralCode({ app_user_id: owner })
      await insertNew(code)
      const of = { referral_code_id: code.id, code: code.code, referrer_id: owner }
      const [one, two] = [aReferralClaim({ claimer_id: claimer, ...of }), aReferralClaim({ claimer_id: other, ...of })]
      for (const claim of [one, two]) await db.transact((tx) => Effect.orDie(tx.referralClaims.insert(claim)))
      await db.transact((tx) => tx.users.remove({ id: owner }))
      expect(Option.isNone(await db.read((tx) => tx.referralCodes.find({ id: code.id })))).toBe(true)
      await db.transact((tx) => tx.users.remove({ id: claimer }))
      expect(await db.read((tx) => tx.referralClaims.list({ referral_code_id: code.id }, []))).toStrictEqual([two])
    })

    it("of users are made by a program, of which there is one", async () => {
      const find = async () => Option.getOrNull(await db.read((tx) => tx.referralPrograms.find()))
      expect(await find()).toBeNull()
      const program = aReferralProgram({
        ...{ reward_referrer: awkwardJson, reward_referee: { xp: 1 }, max_uses: 7 },
        ...{ require_account: true, max_account_age_hours: 0.5 },
      })
      await db.transact((tx) => tx.referralPrograms.save(program))
      expect(await find()).toStrictEqual(program)
      await db.transact((tx) => tx.referralPrograms.save(aReferralProgram()))
      expect(await find()).toStrictEqual(aReferralProgram())
      await Promise.all(
        [1, 2, 3].map((max_uses) => db.transact((tx) => tx.referralPrograms.save({ ...program, max_uses }))),
      )
      expect([1, 2, 3]).toContain((await find())?.max_uses)
    })
  })

const writeSection = Effect.fnUntraced(function* (db: TenantDb) {
  const [userId, other] = [yield* writeUser(db), yield* writeUser(db)]
  const rows = [aReferralClaim({ claimer_id: userId, referrer_id: other, reward: awkwardJson })]
  yield* Effect.forEach(rows, db.referralClaims.insert)
  return { userId, rows }
})

/** What a project promises about claims in the file about a user. */
export const referralClaimsSectionContract = sectionContract(referralClaimsSection, writeSection)
