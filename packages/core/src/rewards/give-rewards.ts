import { Effect, Option, Schema } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import { makeWallets } from "../currencies/change-wallets.ts"
import type { CurrenciesDb } from "../currencies/port.ts"
import type { CurrencyTransaction } from "../currencies/transaction.ts"
import { makeGrants } from "../entitlements/grants.ts"
import type { EntitlementsDb } from "../entitlements/port.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { JsonObject } from "../schema.ts"
import type { StoresDb } from "../stores/port.ts"
import { makeAwardXp } from "../xp/award-xp.ts"
import type { XpDb } from "../xp/port.ts"
import type { RewardsDb } from "./port.ts"
import { GivenReward, type RewardParts } from "./reward.ts"

/** A reward for a user. */
export interface Gift {
  readonly app_user_id: string
  readonly reward: RewardParts
  /** Identifies why it is given: a cause gives once. `<feature>/<cause>`, at most 255 characters, of one user. */
  readonly cause: string
  /** Where the amounts come from. */
  readonly source: CurrencyTransaction["source"]
  /** What entries and transactions refer to: a purchase, a claim, a reason. */
  readonly reference_id: string | null
  /** The id of an item of which one is given beside the reward, as what was bought. The caller has locked the item. */
  readonly bought?: string
}

/** What giving needs of a project's database. */
export type GiveRewardsDb = BackgroundDb & CurrenciesDb & EntitlementsDb & EventsDb & RewardsDb & StoresDb & XpDb

const encodeGiven = Schema.encodeSync(GivenReward)
const decodeGiven = Schema.decodeUnknownSync(GivenReward)

/** The keys of a reward's parts, without those of which nothing is there any more. */
const present = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> | undefined => (list.length === 0 ? undefined : list)

/**
 * Gives rewards, one for each of several users at most, and answers what was given, in their order: what is left after clamping,
 * and in `skipped` the codes and keys that are not there any more. A cause that has given before answers what it gave then
 * [G5.1]. The caller holds the purses of the users, and no lock that comes after them [G0.5]; where it has to change a wallet
 * first, it locks the XP totals before that, and the currency before the purses. The platform events that come of it are written here.
 */
export const makeGiveRewards = ({ clock, ids }: Pick<Ports, "clock" | "ids">) => {
  const awardXp = makeAwardXp({ clock, ids })
  const wallets = makeWallets(ids)
  const grants = makeGrants(ids)

  /** The XP of each cause. */
  const giveXp = Effect.fnUntraced(function* (db: GiveRewardsDb, gifts: ReadonlyArray<Gift>, now: Date) {
    const awards = gifts.flatMap(({ app_user_id, reward, cause, reference_id }) => {
      const award = { app_user_id, amount: reward.xp, source: "reward" as const, reference_id, occurred_at: now }
      return reward.xp === 0 ? [] : [{ ...award, cause_key: `rewards/${cause}` }]
    })
    const { entries, events } = yield* awardXp(db, awards, { isRanked: false })
    return { xp: new Map(entries.map(({ cause_key, amount }) => [cause_key, amount])), events }
  })

  /** The amounts of each gift by code; null where there is no such currency. */
  const giveAmounts = Effect.fnUntraced(function* (db: GiveRewardsDb, gifts: ReadonlyArray<Gift>, now: Date) {
    const amounts = gifts.flatMap(({ app_user_id, reward, source, reference_id }, gift) =>
      reward.currencies.map(({ code: currency_code, amount }) => ({
        ...{ gift, app_user_id, currency_code, amount, source, reference_id },
        transaction_type: "reward" as const,
      })),
    )
    const receipts = yield* wallets.credit(
      db,
      amounts.map(({ gift: _, ...amount }) => amount),
      now,
    )
    return amounts.map(({ gift, currency_code: name }, at) => {
      return { gift, name, amount: receipts[at]?.transaction.amount ?? null }
    })
  })

  /** The items of each gift by key; null where there is no such item. */
  const giveItems = Effect.fnUntraced(function* (db: GiveRewardsDb, gifts: ReadonlyArray<Gift>, now: Date) {
    const wanted = gifts.flatMap(({ app_user_id, reward }, gift) =>
      reward.items.map(({ key, quantity }) => ({ gift, app_user_id, key, quantity })),
    )
    const found = wanted.length === 0 ? [] : yield* db.catalogItems.lockKeys(wanted.map(({ key }) => key))
    const idOfKey = new Map(found.map(({ id, key }) => [key, id]))
    const known = wanted.flatMap(({ app_user_id, key, quantity }) => {
      const catalog_item_id = idOfKey.get(key)
      return catalog_item_id === undefined ? [] : [{ id: ids.uuid(), app_user_id, catalog_item_id, quantity }]
    })
    const bought = gifts.flatMap(({ app_user_id, bought: catalog_item_id }) =>
      catalog_item_id === undefined ? [] : [{ id: ids.uuid(), app_user_id, catalog_item_id, quantity: 1 }],
    )
    // In a call of its own, because an item can be bought and given at once.
    if (bought.length > 0) yield* db.inventory.add(bought, now)
    const added = known.length === 0 ? [] : [...(yield* db.inventory.add(known, now))]
    return wanted.map(({ gift, key: name }) => ({
      ...{ gift, name },
      amount: idOfKey.has(name) ? (added.shift()?.quantity ?? 0) : null,
    }))
  })

  const giveFresh = Effect.fnUntraced(function* (db: GiveRewardsDb, gifts: ReadonlyArray<Gift>, now: Date) {
    const { xp, events } = yield* giveXp(db, gifts, now)
    const amounts = yield* giveAmounts(db, gifts, now)
    const items = yield* giveItems(db, gifts, now)
    const given: Array<GivenReward> = []
    for (const [at, { app_user_id, cause, reward }] of gifts.entries()) {
      const entitlements = present(yield* grants.giveDays(db, app_user_id, reward.entitlements, now))
      const ofGift = [amounts, items].map((list) => list.filter(({ gift }) => gift === at))
      const [currencies = [], owned = []] = ofGift.map((list) =>
        list.flatMap(({ name, amount }) => (amount === null ? [] : [{ name, amount }])),
      )
      const skipped = ofGift.flat().flatMap(({ name, amount }) => (amount === null ? [name] : []))
      const answered: GivenReward = {
        ...(currencies.length > 0 && {
          currencies: Object.fromEntries(currencies.map(({ name, amount }) => [name, amount])),
        }),
        ...(reward.xp > 0 && { xp: xp.get(`rewards/${cause}`) ?? 0 }),
        ...(owned.length > 0 && { items: owned.map(({ name: key, amount: quantity }) => ({ key, quantity })) }),
        ...(entitlements !== undefined && { entitlements }),
        skipped,
      }
      given.push(answered)
      const row = { id: ids.uuid(), app_user_id, cause, reward: encodeGiven(answered) as JsonObject, given_at: now }
      yield* Effect.orDie(db.givenRewards.insert(row))
    }
    if (events.length > 0) yield* db.events.insertCaused(events.map((event) => ({ ...event, id: ids.uuid() })))
    return given
  })

  return Effect.fnUntraced(function* (db: GiveRewardsDb, gifts: ReadonlyArray<Gift>, now: Date) {
    const kept = yield* Effect.forEach(gifts, ({ cause }) => db.givenRewards.find({ cause }))
    const isFresh = kept.map(Option.isNone)
    const fresh = [
      ...(yield* giveFresh(
        db,
        gifts.filter((_, at) => isFresh[at]),
        now,
      )),
    ]
    return kept.flatMap((row) => (Option.isSome(row) ? [decodeGiven(row.value.reward)] : fresh.splice(0, 1)))
  })
}

/** Gives rewards. */
export type GiveRewards = ReturnType<typeof makeGiveRewards>
