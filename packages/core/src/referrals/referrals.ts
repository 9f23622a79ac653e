import { Effect, Option } from "effect"
import { InvalidToken, NotFound } from "../failure.ts"
import { type ListQuery, readLargeList, readWhole } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { type CheckRewardsDb, checkRewards } from "./check-rewards.ts"
import { ReferralCodeExists } from "./failures.ts"
import type { ReferralsDb } from "./port.ts"
import type { NewReferralCode, NewReferralProgram, ReferralCode, ReferralCodeChanges } from "./referral.ts"
import { emptyProgram, makeUpCode } from "./rules.ts"

type Db = CheckRewardsDb & ReferralsDb & UsersDb

const newestCodes = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const
const newestClaims = [
  ["claimed_at", "desc"],
  ["id", "desc"],
] as const

// Of 852,891,037,441 codes; even among a billion taken ones a made-up code is free at the first try, nearly always.
const mostTries = 20

/** Codes with which users bring others, and what they are given for it (spec: referrals; G7). */
export const makeReferrals = ({ clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">) => {
  /** Writes a code under a text that nobody has yet. */
  const insertMadeUp = Effect.fnUntraced(function* (db: ReferralsDb, row: Omit<ReferralCode, "code">) {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const made = { ...row, code: makeUpCode(ids) }
      if (yield* db.referralCodes.insertNew(made)) return made
    }
    return yield* Effect.die(new Error("No code was free."))
  })

  const newRow = (
    input: Pick<ReferralCode, "reward_referrer" | "reward_referee" | "max_uses">,
    app_user_id: string | null,
  ) => ({
    ...{ id: ids.uuid(), app_user_id, is_active: true, total_claims: 0, created_at: clock.now() },
    ...{ reward_referrer: input.reward_referrer, reward_referee: input.reward_referee, max_uses: input.max_uses },
  })

  const readProgram = (db: ReferralsDb) =>
    Effect.map(db.referralPrograms.find(), (found) => Option.getOrElse(found, () => emptyProgram))

  return {
    /** Makes a code, of the text given or of one that is made up [G7.1]. `CODE_EXISTS`; `INVALID_REWARD`. */
    create: Effect.fn("referrals.create")(function* (projectId: string, { code, ...input }: NewReferralCode) {
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const row = newRow({ ...input, ...(yield* checkRewards(db, input)) }, null)
          if (code === undefined) return yield* insertMadeUp(db, row)
          const named = { ...row, code: code.toUpperCase() }
          return (yield* db.referralCodes.insertNew(named)) ? named : yield* new ReferralCodeExists()
        }),
      )
    }),

    /** All codes, those of users too, the newest first [G7.1]. */
    list: (projectId: string, query: ListQuery) =>
      tenants.read(projectId, ({ referralCodes }) =>
        readLargeList(query, {
          page: (slice) => referralCodes.page({}, newestCodes, slice),
          after: ({ at, id }, slice) => referralCodes.listAfter({}, newestCodes, { created_at: at, id }, slice),
          place: ({ created_at, id }) => ({ at: created_at, id }),
        }),
      ),

    /** A code with a page of its claims, the newest first [G7.4]. `NOT_FOUND`. */
    stats: Effect.fn("referrals.stats")(function* (projectId: string, id: string, query: ListQuery) {
      return yield* tenants.read(
        projectId,
        Effect.fnUntraced(function* ({ referralCodes, referralClaims }) {
          const referral_code = yield* orFail(referralCodes.find({ id }), NotFound)
          const ofCode = { referral_code_id: id }
          const {
            rows,
            total: _,
            ...page
          } = yield* readLargeList(query, {
            // Its answer is not sent in pieces.
            page: (slice) => readWhole(slice, (piece) => referralClaims.page(ofCode, newestClaims, piece)),
            after: ({ at, id: after }, slice) =>
              referralClaims.listAfter(ofCode, newestClaims, { claimed_at: at, id: after }, slice),
            place: (claim) => ({ at: claim.claimed_at, id: claim.id }),
          })
          return { referral_code, total_claims: referral_code.total_claims, claims: rows, ...page }
        }),
      )
    }),

    /** Changes a code. Claims that were made stay as they are [G7.1]. `NOT_FOUND`; `INVALID_REWARD`. */
    update: Effect.fn("referrals.update")(function* (projectId: string, id: string, changes: ReferralCodeChanges) {
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const checked = { ...changes, ...(yield* checkRewards(db, changes)) }
          return yield* orFail(Effect.orDie(db.referralCodes.update(id, checked)), NotFound)
        }),
      )
    }),

    /** Removes a code. Who has redeemed it has still redeemed one [G7.4]. Does nothing for an unknown code. */
    remove: (projectId: string, id: string) => tenants.transact(projectId, (db) => db.referralCodes.remove({ id })),

    /** What the codes of users are made with [G7.2]. */
    program: (projectId: string) => tenants.read(projectId, readProgram),

    /** Replaces what the codes of users are made with from now on [G7.1]. `INVALID_REWARD`. */
    saveProgram: Effect.fn("referrals.saveProgram")(function* (projectId: string, program: NewReferralProgram) {
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const checked = { ...program, ...(yield* checkRewards(db, program)) }
          yield* db.referralPrograms.save(checked)
          return checked
        }),
      )
    }),

    /**
     * The code of a user, made on the first call by the program of that moment. Of calls at once one makes it [G7.2]. `INVALID_TOKEN` for
     * a user who is gone.
     */
    own: Effect.fn("referrals.own")(function* (projectId: string, userId: string) {
      const found = yield* tenants.read(projectId, (db) => db.referralCodes.find({ app_user_id: userId }))
      if (Option.isSome(found)) return found.value
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          // Of two first calls the second one waits here.
          yield* orFail(db.users.lock(userId), InvalidToken)
          const present = yield* db.referralCodes.find({ app_user_id: userId })
          if (Option.isSome(present)) return present.value
          return yield* insertMadeUp(db, newRow(yield* readProgram(db), userId))
        }),
      )
    }),
  }
}
