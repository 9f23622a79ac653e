import type { TenantDb } from "@hearth/core"
import { parseRules } from "@hearth/core/segments"
import { aCurrency, aPushCampaign, aPushToken, aSegment, aUser } from "@hearth/testing"
import { Effect, Option, Result } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ids, type TestServer, testServer } from "../server.ts"

// How long a statement may take, and so much longer its answer is waited for. What follows takes longer than both.
const statementMillis = 1_000
const slowSeconds = 6.5

let server: TestServer
beforeAll(() => {
  server = testServer()
})
afterAll(() => server.close())

/** A project whose statements that write to `table` take long, and a transaction of a process in it. */
const slowProject = async (
  table: string,
  prepare: (db: TenantDb) => Effect.Effect<unknown, unknown>,
  does: "insert" | "update" = "insert",
) => {
  const usual = await server.open()
  const hurried = await server.open({ statementMillis })
  const project = await server.project(usual)
  await Effect.runPromise(Effect.orDie(usual.tenants.transact(project, prepare)))
  await server.rows(
    server.databaseOf(project),
    `create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(${slowSeconds}); return null; end $$;
     create trigger wait after ${does} on ${table} for each statement execute function wait()`,
  )
  return <A>(work: (db: TenantDb) => Effect.Effect<A, unknown>) =>
    Effect.runPromise(Effect.orDie(hurried.tenants.transact(project, work)))
}

const user = () => aUser({ id: ids.uuid(), anonymous_id: ids.uuid() })

it.concurrent("a campaign to everybody is begun where that takes longer than a call may", async () => {
  const [owner, campaign] = [user(), aPushCampaign({ id: ids.uuid(), segment_id: null })]
  const transact = await slowProject("push_deliveries", (db) =>
    Effect.gen(function* () {
      yield* db.users.insert(owner)
      yield* db.pushTokens.insert(aPushToken({ id: ids.uuid(), app_user_id: owner.id }))
      yield* db.pushCampaigns.insert(campaign)
    }),
  )
  const providers = await transact(
    Effect.fnUntraced(function* (db) {
      const audience = yield* db.pushDeliveries.gather(campaign)
      const firings = audience.timezones.map((timezone) => ({ timezone, fire_at: new Date(), is_skipped: false }))
      yield* audience.writeDeliveries(firings, null)
      return audience.providers
    }),
  )
  expect(providers).toHaveLength(1)
})

it.concurrent("so is a segment evaluated", async () => {
  const segment = aSegment({ id: ids.uuid() })
  const transact = await slowProject("segment_memberships", (db) =>
    Effect.andThen(db.users.insert(user()), db.segments.insert(segment)),
  )
  const rules = Result.getOrThrow(
    parseRules({ operator: "AND", conditions: [{ field: "is_disabled", op: "eq", value: false }] }),
  )
  const count = await transact(
    Effect.fnUntraced(function* (db) {
      const present = Option.getOrThrow(yield* db.segments.find({ id: segment.id }))
      return yield* db.segments.evaluate(present, rules, new Date())
    }),
  )
  expect(count).toBe(1)
})

it.concurrent("so are all wallets of a currency settled", async () => {
  const owner = user()
  const recharge = { max_balance: 100, auto_recharge_amount: 1, auto_recharge_interval_hours: 1 }
  const currency = aCurrency({ id: ids.uuid(), ...recharge })
  const key = { app_user_id: owner.id, currency_id: currency.id, currency_code: currency.code }
  const wallet = { ...key, rules: currency.rules, balance: 0, anchor_at: new Date("2026-03-01T12:00:00.000Z") }
  const read = (db: TenantDb) => Effect.map(db.wallets.ofUser(owner.id), ([row]) => row?.wallet?.balance)
  const transact = await slowProject(
    "wallets",
    (db) =>
      Effect.gen(function* () {
        yield* db.users.insert(owner)
        yield* db.currencies.insert(currency)
        yield* db.wallets.write([wallet], [], wallet.anchor_at)
      }),
    "update",
  )
  const now = new Date("2026-03-01T15:00:00.000Z")
  expect(await transact((db) => Effect.andThen(db.wallets.settle(currency, now), read(db)))).toBe(30_000)
})
