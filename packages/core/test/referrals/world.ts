import type { NewReferralCode, NewReferralProgram } from "@hearth/core/referrals"
import { type TestWorldOptions, testWorld } from "@hearth/testing"
import { Effect, type Exit } from "effect"

const plain = { reward_referrer: { xp: 5 }, reward_referee: { xp: 10 }, max_uses: null }

/** A project whose users are given 5 XP for a claim of their code, and 10 XP for claiming one. */
export const referralWorld = async (program: Partial<NewReferralProgram> = {}, options: TestWorldOptions = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { referrals } = world.core
  const { projectId } = await world.aProjectWithOwner()
  const whole = { ...plain, require_account: false, max_account_age_hours: null, ...program }
  await world.run(referrals.saveProgram(projectId, whole))
  const read = <A>(work: Parameters<typeof world.tenants.read<A, never>>[1]) =>
    world.run(world.tenants.read(projectId, work))
  const redeem = (userId: string, code: string) => referrals.redeem(projectId, userId, code)
  return {
    ...{ world, projectId, read, redeem },
    user: async () => (await world.aSignedInUser(projectId)).userId,
    /** Makes a developer's code that gives 10 XP to a claimer. */
    promo: (given: Partial<NewReferralCode> = {}) =>
      world.run(referrals.create(projectId, { ...plain, code: "PROMO", ...given })),
    codeOf: (userId: string) => world.run(referrals.own(projectId, userId)),
    xp: async (userId: string) => (await read((db) => db.xpTotals.find(userId))).total,
    claims: () => read((db) => db.referralClaims.list({}, [["claimed_at", "asc"]])),
    refusal: <E>(effect: Effect.Effect<unknown, E>) => world.run(Effect.flip(effect)),
    together: <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>): Promise<ReadonlyArray<Exit.Exit<A, E>>> =>
      world.run(Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })),
    /** The events of a user about referrals and rewards, the oldest first. */
    events: async (userId: string) =>
      (await read((db) => db.events.pageOfUser(userId, { limit: 100, offset: 0 }))).rows
        .filter(({ event_name }) => event_name.startsWith("referral_"))
        .map(({ event_name, properties }) => ({ event_name, properties })),
  }
}

/** The codes of the failures of exits, and `ok` for successes, each with how often. */
export const countCodes = (exits: ReadonlyArray<Exit.Exit<unknown, { readonly code: string }>>) => {
  const codes = exits.map((exit) => {
    if (exit._tag === "Success") return "ok"
    const [reason] = exit.cause.reasons
    return reason?._tag === "Fail" ? reason.error.code : String(reason?._tag)
  })
  return Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]))
}
