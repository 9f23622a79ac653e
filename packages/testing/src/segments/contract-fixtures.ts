import type { JsonObject, TenantDb } from "@hearth/core"
import type { CurrencyRow, WalletState } from "@hearth/core/currencies"
import { parseRules, type RuleGroup } from "@hearth/core/segments"
import type { UserRow } from "@hearth/core/users"
import { Effect, Option, Result } from "effect"
import { anAchievement, aUserAchievement } from "../achievements/builders.ts"
import type { Given } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aCurrency, aWalletWith } from "../currencies/builders.ts"
import { anEntitlement } from "../entitlements/builders.ts"
import { anEvent } from "../events/builders.ts"
import { aStreakDefinition, aUserStreak } from "../streaks/builders.ts"
import { aUser } from "../users/builders.ts"

/** The current time of the suites of segments. */
export const fixtureNow = new Date("2026-03-01T12:00:00.000Z")

/** The instant this many milliseconds after `fixtureNow`. */
export const fromNow = (millis: number) => new Date(fixtureNow.getTime() + millis)

/** The currencies that there are, one of which recharges. */
export const fixtureCurrencies: ReadonlyArray<CurrencyRow> = [
  aCurrency({
    ...{ code: "ENERGY", initial_balance: 5, max_balance: 10 },
    ...{ auto_recharge_amount: 2.5, auto_recharge_interval_hours: 1 },
  }),
  aCurrency({ code: "GEMS" }),
]

const writeCurrencies = (tx: TenantDb) =>
  Effect.forEach(fixtureCurrencies, (row) =>
    Effect.flatMap(tx.currencies.find({ code: row.code }), (found) =>
      Option.isSome(found) ? Effect.void : tx.currencies.insert(row),
    ),
  )

const writeWallets = (tx: TenantDb, app_user_id: string, wallets: Readonly<Record<string, WalletState>>) => {
  const written = fixtureCurrencies.flatMap((row) => {
    const state = wallets[row.code]
    return state === undefined ? [] : [aWalletWith(row, app_user_id, state)]
  })
  return tx.wallets.write(
    written.map(({ wallet }) => wallet),
    written.map(({ transaction }) => transaction),
    fixtureNow,
  )
}

/** A user, with everything that rules can test. */
export interface UserFixture {
  readonly user?: Given<UserRow>
  readonly entitlements?: ReadonlyArray<{
    readonly entitlement_id: string
    readonly is_active: boolean
    readonly expiration_date: Date | null
  }>
  /** `current_count` by definition. */
  readonly streaks?: Readonly<Record<string, number>>
  /** The keys of unlocked achievements. */
  readonly achievements?: ReadonlyArray<string>
  /** The total XP; null where there is no row of it. */
  readonly xp?: number | null
  /** What is in the wallets of `fixtureCurrencies`, by code; none where they are not touched. */
  readonly wallets?: Readonly<Record<string, WalletState>>
  readonly events?: ReadonlyArray<{
    readonly event_name: string
    readonly occurred_at: Date
    readonly properties?: JsonObject
  }>
}

const findAchievement = (tx: TenantDb, key: string) =>
  Effect.gen(function* () {
    const found = yield* tx.achievements.find({ key })
    if (Option.isSome(found)) return found.value.id
    const achievement = anAchievement({ key })
    yield* tx.achievements.insert(achievement)
    return achievement.id
  })

const writeUser = (tx: TenantDb, fixture: UserFixture) =>
  Effect.gen(function* () {
    const { user, entitlements = [], streaks = {}, achievements = [], xp = null, wallets = {}, events = [] } = fixture
    const row = aUser(user)
    yield* tx.users.insert(row)
    yield* Effect.forEach(entitlements, (held) =>
      tx.entitlements.insert(anEntitlement({ ...held, app_user_id: row.id })),
    )
    yield* tx.userStreaks.save(
      Object.entries(streaks).map(([streak_definition_id, current_count]) =>
        aUserStreak({ app_user_id: row.id, streak_definition_id, current_count }),
      ),
    )
    for (const key of achievements) {
      const achievement_id = yield* findAchievement(tx, key)
      yield* tx.userAchievements.insert(aUserAchievement({ app_user_id: row.id, achievement_id }))
    }
    if (xp !== null) {
      yield* tx.xpTotals.lockMany([row.id])
      yield* tx.xpTotals.save([{ app_user_id: row.id, total: xp, highest_total: xp }])
    }
    yield* writeWallets(tx, row.id, wallets)
    const written = events.map((event) => anEvent({ ...event, app_user_id: row.id }))
    yield* tx.events.insert(written, { enqueue: false })
    return row.id
  })

/** Writes users. Answers their ids in the order given. */
export const writeUsers = (db: DatabaseUnderTest<TenantDb>, users: ReadonlyArray<UserFixture>) =>
  db.transact((tx) =>
    Effect.orDie(
      Effect.andThen(
        writeCurrencies(tx),
        Effect.forEach(users, (user) => writeUser(tx, user)),
      ),
    ),
  )

/** Writes a streak definition and answers its id. */
export const writeDefinition = (db: DatabaseUnderTest<TenantDb>) => {
  const definition = aStreakDefinition()
  return db.transact((tx) => Effect.as(Effect.orDie(tx.streakDefinitions.insert(definition)), definition.id))
}

/** Parses rules that must be valid. Wraps a single rule into a group. */
export const parseValidRules = (rules: object): RuleGroup => {
  const isGroup = ["operator", "all", "any"].some((key) => Object.hasOwn(rules, key))
  const tree = isGroup ? rules : { operator: "AND", conditions: [rules] }
  const result = parseRules(tree)
  if (Result.isSuccess(result)) return result.success
  throw new Error(`${JSON.stringify(tree)}: ${JSON.stringify(result.failure.details)}`)
}

/** The ids of the users whom rules describe, ascending. */
export const listDescribed = async (
  db: DatabaseUnderTest<TenantDb>,
  rules: RuleGroup,
): Promise<ReadonlyArray<string>> => {
  const { sample, user_count } = await db.read((tx) => tx.segments.preview(rules, fixtureNow, 10_000))
  if (sample.length !== user_count) throw new Error(`A sample of ${sample.length} of ${user_count} users.`)
  return sample.map(({ id }) => id).toSorted()
}

/** Evaluates a segment as the core does, and waits for its turn. Answers 0 where the segment is gone. */
export const evaluateSegment = async (
  db: DatabaseUnderTest<TenantDb>,
  id: string,
  rules: RuleGroup,
  now: Date,
): Promise<number> => {
  for (;;) {
    const count = await db.transact(
      Effect.fnUntraced(function* (tx: TenantDb) {
        if (!(yield* tx.segments.lockEvaluation(id))) return "busy"
        const segment = yield* tx.segments.find({ id })
        return Option.isNone(segment) ? 0 : ((yield* tx.segments.evaluate(segment.value, rules, now)) ?? 0)
      }),
    )
    if (count !== "busy") return count
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
