import { randomUUID } from "node:crypto"
import type { JsonObject, TenantDb } from "@hearth/core"
import { anInboxRow, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openNode, type TestNode } from "../nodes.ts"
import { type TestServer, testServer } from "../server.ts"
import { watchStatements } from "../watch-statements.ts"

const day = 86_400_000
const now = Date.now()
const cycles = Number(process.env["HEARTH_FAULT_CYCLES"] ?? 1)

let unwatch = () => {}

/**
 * Counts the statements of all connections of this process, and breaks the connection of one: `before` it is sent, or `after` it
 * was done. To PostgreSQL that is what the death of the process is.
 */
const breakAt = (place: number, when: "before" | "after") => {
  let sent = 0
  unwatch = watchStatements((statement, { stream }) => {
    sent += 1
    if (sent !== place) return
    if (when === "before") stream.destroy()
    else {
      const { callback } = statement
      statement.callback = () => {
        stream.destroy()
        callback(new Error("Connection terminated unexpectedly"))
      }
    }
  })
  return () => sent
}

describe("subscription webhooks whose worker dies", () => {
  let server: TestServer
  let nodes: readonly [TestNode, TestNode]
  let project: string
  beforeAll(async () => {
    server = testServer()
    nodes = [await openNode(server), await openNode(server)]
    project = await server.project(await server.open())
  })
  afterEach(() => {
    unwatch()
  })
  afterAll(() => server.close())

  const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) =>
    Effect.runPromise(nodes[1].tenants.transact(project, work))
  const work = (node: TestNode) => Effect.runPromise(Effect.ignoreCause(node.core.background.process(project)))

  /** Two users of whom one has bought something, and the webhooks of a refund and of a transfer that wait. */
  const begin = async () => {
    const [ada, bob] = [1, 2].map(() =>
      aUser({ id: randomUUID(), external_id: randomUUID(), anonymous_id: randomUUID() }),
    )
    if (ada === undefined || bob === undefined) throw new Error("Nobody is there.")
    const tx = randomUUID()
    const event = (type: string, minute: number, given: JsonObject): JsonObject => ({
      ...{ id: randomUUID(), type, event_timestamp_ms: now + minute, app_user_id: ada.external_id, price: 9.99 },
      ...{
        entitlement_ids: ["pro", "plus"],
        purchased_at_ms: now,
        expiration_at_ms: now + 30 * day,
        store: "APP_STORE",
      },
      ...{ transaction_id: tx, original_transaction_id: tx, product_id: "monthly", ...given },
    })
    const webhooks = [
      event("INITIAL_PURCHASE", 1, {}),
      event("TRANSFER", 2, { transferred_from: [ada.external_id], transferred_to: [bob.external_id] }),
      event("RENEWAL", 3, { entitlement_ids: ["pro"], expiration_at_ms: now + 60 * day }),
    ]
    await transact((db) =>
      Effect.gen(function* () {
        yield* Effect.orDie(db.users.insert(ada))
        yield* Effect.orDie(db.users.insert(bob))
        for (const payload of webhooks)
          yield* db.webhookInbox.take(
            anInboxRow({ id: randomUUID(), provider_event_id: String(payload["id"]), payload: { event: payload } }),
          )
      }),
    )
    return { ada: ada.id, bob: bob.id }
  }

  /** What is known of both, without ids and times of writing. */
  const read = async ({ ada, bob }: Awaited<ReturnType<typeof begin>>) => {
    const found = await transact((db) =>
      Effect.forEach([ada, bob], (app_user_id) =>
        Effect.all([
          db.entitlements.list({ app_user_id }, [["entitlement_id", "asc"]]),
          db.entitlementSources.list({ app_user_id }, [["entitlement_id", "asc"]]),
          db.events.pageOfUser(app_user_id, { limit: 100, offset: 0 }),
          db.outbox.waiting(),
          db.deadLetters.nextTryAt(["webhooks.process"]),
        ]),
      ),
    )
    return found.map(([rows, sources, events, waiting, nextTry]) => ({
      rows: rows.map((row) => [row.entitlement_id, row.is_active, row.expiration_date?.getTime()]),
      sources: sources.map((row) => [row.entitlement_id, row.source, row.is_active, row.expiration_date?.getTime()]),
      events: events.rows.map(({ event_name }) => event_name).toSorted(),
      waiting: [waiting.entries, nextTry],
    }))
  }

  const [month, two] = [now + 30 * day, now + 60 * day]
  const expected = [
    {
      rows: [
        ["plus", false, month],
        ["pro", false, month],
      ],
      sources: [
        ["plus", "provider", false, month],
        ["pro", "provider", false, month],
      ],
      events: ["subscription_initial_purchase", "subscription_renewal"],
      waiting: [0, null],
    },
    {
      rows: [
        ["plus", false, month],
        ["pro", true, two],
      ],
      sources: [
        ["plus", "provider", false, month],
        ["pro", "provider", true, two],
      ],
      events: ["subscription_transfer"],
      waiting: [0, null],
    },
  ]

  it("lead to the same at every statement, before and after it, when another goes on [E7]", async () => {
    const first = await begin()
    const count = breakAt(0, "before")
    await work(nodes[0])
    const statements = count()
    unwatch()
    expect(await read(first)).toEqual(expected)
    expect(statements).toBeGreaterThan(40)

    const both = ["before", "after"] as const
    for (let place = 1; place <= statements; place += 1) {
      // In turns, unless more cycles are asked for.
      for (const when of cycles > 1 ? both : both.slice(place % 2, (place % 2) + 1)) {
        const users = await begin()
        breakAt(place, when)
        await work(nodes[0])
        unwatch()
        await work(nodes[1])
        expect(await read(users), `${when} statement ${place} of ${statements}`).toEqual(expected)
      }
    }
  })

  it("lead to the same in two workers at once", async () => {
    const all = [await begin(), await begin(), await begin()]
    await Promise.all([...nodes, ...nodes].map(work))
    for (const users of all) expect(await read(users)).toEqual(expected)
  })
})
