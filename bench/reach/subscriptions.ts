import { systemClock } from "@hearth/adapters"
import { type FoldedEvent, foldSubscriptions, makeProcessSubscription, makeUserKey } from "@hearth/core/subscriptions"
import type { InboxEntry } from "@hearth/core/webhooks"
import { Effect, Option } from "effect"
import { connectTo } from "../harness/database.ts"
import { atMost, type Figure, median } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"
import { recordStatements } from "../harness/sent-statements.ts"

const count = 1_000
const rounds = 30
const minute = 60_000
const began = Date.now() - count * minute

/** A life of renewals, failed charges and cancellations of ten subscriptions. */
const describeEvent = (n: number, entry_id: string, owner: string): FoldedEvent => ({
  ...{ entry_id, owner, sources: [], id: `event-${n}`, at: began + n * minute },
  type: ["RENEWAL", "BILLING_ISSUE", "CANCELLATION", "UNCANCELLATION"][n % 4] ?? "",
  ...{ subscription: `t-${n % 10}`, transaction_id: `t-${n % 10}-${n >> 6}`, product_id: "monthly" },
  ...{ entitlement_ids: ["pro", "plus"], store: "app_store", period_type: "normal", purchased_at: began + n * minute },
  ...{
    expiration_at: began + (n + 40_000) * minute,
    grace_until: null,
    price: 9.99,
    currency: "USD",
    is_refund: false,
  },
})

const measure = async (work: () => unknown) => {
  const times: Array<number> = []
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now()
    await work()
    times.push(performance.now() - before)
  }
  return median(times)
}

const fillInbox = `
  insert into webhook_inbox (id, provider, provider_event_id, event_type, status, received_at, payload, event_at)
  select id, 'subscription', 'event-' || n, 'RENEWAL', 'processed', now(), '{}', now()
  from unnest($1::uuid[], $2::int[]) as given (id, n)`

/** The webhook of a user with a thousand events before it: working out what is given, and all of its processing. */
export const subscriptions = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const { core, ids, postgres } = hearth
  const { tenants } = postgres
  const project = await hearth.newProject("Subscriptions")
  const { user } = await Effect.runPromise(core.auth.anonymous(project.id))
  const owner = makeUserKey(user.id)
  const events = Array.from({ length: count }, (_, n) => describeEvent(n, ids.uuid(), owner))
  const database = await connectTo(hearth.dataDir, project.id)
  await database.query(fillInbox, [events.map(({ entry_id }) => entry_id), events.map((_, n) => n)])
  const writes = events.map((event) => ({ event, keys: [owner, `subscription/${event.subscription}`], raw: {} }))
  await Effect.runPromise(tenants.transact(project.id, (db) => db.subscriptionEvents.save(writes)))

  const fold = await measure(() => foldSubscriptions(events, new Date()))
  const process = makeProcessSubscription({ clock: systemClock, ids })
  let turn = count
  const receive = async () => {
    turn += 1
    const [id, at] = [ids.uuid(), began + turn * minute]
    const event = {
      ...{ id: `event-${turn}`, type: "RENEWAL", event_timestamp_ms: at, app_user_id: user.id, store: "APP_STORE" },
      ...{ entitlement_ids: ["pro", "plus"], purchased_at_ms: at, expiration_at_ms: at + 40_000 * minute },
      ...{ original_transaction_id: `t-${turn % 10}`, transaction_id: `t-${turn}`, price: 9.99, product_id: "monthly" },
    }
    await database.query(fillInbox, [[id], [turn]])
    return { id, payload: { event } }
  }
  const handle = ({ id, payload }: Awaited<ReturnType<typeof receive>>) =>
    Effect.runPromise(
      tenants.transact(project.id, (db) =>
        Effect.gen(function* () {
          yield* db.outbox.hold()
          const entry: InboxEntry = { ...Option.getOrThrow(yield* db.webhookInbox.find(id)), payload }
          const done = yield* process(db, entry)
          yield* db.webhookInbox.finish(id, { ...done, processed_at: systemClock.now(), waits_for: [] })
        }),
      ),
    )
  const statements = await recordStatements(async () => handle(await receive()))
  const whole = await measure(async () => handle(await receive()))
  await database.end()
  await hearth.close()
  return [
    atMost("Fold of a user's 1,000 subscription events", "ms", fold, 50, 1),
    atMost(`Processing a webhook of a user with 1,000 before it (${statements.length} statements)`, "ms", whole, 50, 1),
  ]
}
