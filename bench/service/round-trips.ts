import { NewAchievement } from "@hearth/core/achievements"
import { NewLeaderboard } from "@hearth/core/leaderboards"
import { NewCatalogItem, NewListing, NewStore } from "@hearth/core/stores"
import { NewStreakDefinition } from "@hearth/core/streaks"
import { Effect, Schema } from "effect"
import { atMost, type Figure } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"
import { countRoundTrips, recordStatements } from "../harness/sent-statements.ts"

/** So many calls before the one that is counted: by then a connection is open, and every row of the user is there. */
const warmUp = 5

const amounts = { max_balance: null, auto_recharge_amount: null, auto_recharge_interval_hours: null }
const currency = { code: "COINS", name: "Coins", description: null, is_premium: false, initial_balance: 1_000_000 }
const criteria = { all: [{ event: "lesson_completed", count: 1_000_000 }] }

type Hearth = Awaited<ReturnType<typeof openInProcess>>

/** A project with a streak, an XP rule, an achievement and a board for one event, and with something to buy. */
const furnish = async ({ core, newProject }: Hearth) => {
  const { id } = await newProject("Round trips")
  const run = Effect.runPromise
  const decode = <A>(schema: Schema.ConstraintDecoder<A>, given: unknown) => Schema.decodeUnknownSync(schema)(given)
  const streak = { name: "Lessons", qualifying_event: "lesson_completed" }
  await run(core.streaks.create(id, decode(NewStreakDefinition, streak)))
  const rule = { event_name: "lesson_completed", amount: 10, daily_cap: null }
  await run(core.xp.replaceRules(id, { rules: [rule] }))
  await run(core.xp.replaceLevels(id, { levels: [{ name: "Bronze", xp_required: 1_000 }] }))
  await run(core.achievements.create(id, decode(NewAchievement, { key: "lessons", name: "Lessons", criteria })))
  const weekly = { name: "Weekly", metric: "xp", period: "weekly" }
  await run(core.leaderboards.create(id, decode(NewLeaderboard, weekly)))
  await run(core.currencies.create(id, { ...currency, ...amounts }))
  const item = await run(
    core.catalog.create(id, decode(NewCatalogItem, { key: "hat", name: "Hat", prices: { COINS: 2 } })),
  )
  const store = await run(core.stores.create(id, decode(NewStore, { name: "Shop" })))
  const listing = await run(core.stores.addListing(id, store.id, decode(NewListing, { catalog_item_id: item.id })))
  const { user } = await run(core.auth.anonymous(id))
  await run(core.background.process(id))
  return { projectId: id, userId: user.id, storeId: store.id, listingId: listing.id }
}

/** How often single calls wait for PostgreSQL. With `--list` it prints what they send. */
export const roundTrips = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const { core } = hearth
  const { projectId, userId, storeId, listingId } = await furnish(hearth)
  const run = Effect.runPromise
  const grant = { app_user_id: userId, currency_code: "COINS", amount: 1.25, reason: "bench" }
  const calls: Readonly<Record<string, readonly [most: number, call: () => Promise<unknown>]>> = {
    "An event with its effects (streak, XP, achievement, leaderboard)": [
      6,
      () => run(core.events.recordOwnWithEffects(projectId, userId, { event_name: "lesson_completed" })),
    ],
    "A run of the background work of an idle project": [7, () => run(core.background.process(projectId))],
    "A spend": [2, () => run(core.currencies.spend(projectId, userId, "COINS", { amount: 0.25 }))],
    "A grant": [2, () => run(core.currencies.grant(projectId, grant))],
    "A grant with an Idempotency-Key": [2, () => run(core.currencies.grant(projectId, grant, crypto.randomUUID()))],
    "A purchase": [
      10,
      () => run(core.purchases.buy(projectId, userId, storeId, listingId, { currency_code: "COINS" })),
    ],
  }
  const figures: Array<Figure> = []
  for (const [name, [most, call]] of Object.entries(calls)) {
    for (let index = 0; index < warmUp; index += 1) await call()
    const sent = await recordStatements(call)
    figures.push(atMost(`${name}: round trips to PostgreSQL`, "round trips", countRoundTrips(sent), most))
    if (!process.argv.includes("--list")) continue
    console.log(`\n${name}: ${sent.length} statements`)
    for (const { trip, text } of sent) console.log(String(trip).padStart(4), text.replace(/\s+/g, " ").slice(0, 120))
  }
  await hearth.close()
  return figures
}
