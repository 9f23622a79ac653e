import { randomUUID } from "node:crypto"
import type { JsonObject, TenantDb } from "@hearth/core"
import { chooseSource } from "@hearth/core/entitlements"
import { anInboxRow, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { memoryPorts, openNode, type TestNode } from "../nodes.ts"
import { type TestServer, testServer } from "../server.ts"

const day = 86_400_000
const now = Date.now()
const rounds = 12

describe("subscription webhooks beside everything else", () => {
  let server: TestServer
  let nodes: readonly [TestNode, TestNode]
  let project: string
  const ports = memoryPorts()
  beforeAll(async () => {
    server = testServer()
    nodes = [await openNode(server, { ports }), await openNode(server, { ports })]
    project = await server.project(await server.open())
  })
  afterAll(() => server.close())

  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
  const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) => run(nodes[0].tenants.transact(project, work))
  const process = () => Promise.all(nodes.map(({ core }) => run(core.background.process(project))))

  const addUser = async () => {
    const user = aUser({ id: randomUUID(), anonymous_id: randomUUID() })
    await transact((db) => Effect.orDie(db.users.insert(user)))
    return user.id
  }
  const receive = async (type: string, userId: string, given: JsonObject = {}) => {
    const payload: JsonObject = {
      ...{ id: randomUUID(), type, event_timestamp_ms: Date.now(), app_user_id: userId, store: "APP_STORE" },
      ...{ entitlement_ids: ["pro", "plus"], purchased_at_ms: now, expiration_at_ms: now + 30 * day },
      ...{ transaction_id: userId, original_transaction_id: userId, product_id: "monthly", price: 9.99, ...given },
    }
    const row = anInboxRow({ id: randomUUID(), provider_event_id: randomUUID(), payload: { event: payload } })
    await transact((db) => db.webhookInbox.take(row))
  }
  const deadLetters = () => server.rows(server.databaseOf(project), "select 1 from outbox_dead")

  /** The rows of a user, each with what its sources make of it. */
  const read = (app_user_id: string) =>
    transact((db) =>
      Effect.gen(function* () {
        const rows = yield* db.entitlements.list({ app_user_id }, [["entitlement_id", "asc"]])
        return yield* Effect.forEach(rows, (row) =>
          Effect.map(
            db.entitlementSources.list({ app_user_id, entitlement_id: row.entitlement_id }, []),
            (sources) => ({ row, chosen: chooseSource(sources) }),
          ),
        )
      }),
    )

  it("lose nothing that developers and rewards give at the same moment [E7, G5.1]", async () => {
    const users = await Promise.all(Array.from({ length: rounds }, addUser))
    await Promise.all(
      users.flatMap((id, n) => {
        const [one, other] = n % 2 === 0 ? nodes : [nodes[1], nodes[0]]
        const far = new Date(now + 90 * day)
        return [
          receive("INITIAL_PURCHASE", id).then(process),
          run(
            one.core.entitlements.grant(project, id, { entitlement_id: "pro", is_active: true, expiration_date: far }),
          ),
          run(
            other.core.rewards.give(
              project,
              id,
              { reward: { entitlements: [{ entitlement_id: "plus", days: 60 }] } },
              null,
            ),
          ),
        ]
      }),
    )
    await process()
    for (const id of users) {
      const [plus, pro] = await read(id)
      for (const each of [plus, pro]) {
        const { id: _, source, updated_at, ...chosen } = each?.chosen ?? ({} as never)
        expect(each?.row).toMatchObject(chosen)
        expect([each?.row.entitlement_id, source]).toEqual(each === plus ? ["plus", "reward"] : ["pro", "admin"])
      }
    }
    expect(await deadLetters()).toEqual([])
  })

  it("leave nothing of users who are deleted at the same moment, and keep what others received [E7]", async () => {
    const pairs = await Promise.all(
      Array.from({ length: rounds }, async () => [await addUser(), await addUser()] as const),
    )
    for (const [from] of pairs) await receive("INITIAL_PURCHASE", from)
    await process()
    for (const [from, to] of pairs)
      await receive("TRANSFER", "", { app_user_id: null, transferred_from: [from], transferred_to: [to] })
    await process()
    await Promise.all(
      pairs.flatMap(([from, to], n) => [
        receive("BILLING_ISSUE", from, { grace_period_expiration_at_ms: now + 40 * day }).then(process),
        run(nodes[n % 2 === 0 ? 0 : 1].core.users.remove(project, n % 3 === 0 ? to : from)),
      ]),
    )
    await process()
    for (const [n, [from, to]] of pairs.entries()) {
      const [gone, kept] = n % 3 === 0 ? [to, from] : [from, to]
      expect(await read(gone)).toEqual([])
      const rows = (await read(kept)).map(({ row }) => [row.entitlement_id, row.is_active])
      const isActive = kept === to
      expect(rows).toEqual([
        ["plus", isActive],
        ["pro", isActive],
      ])
    }
    expect(await deadLetters()).toEqual([])
  })

  it("are ended by two workers at once, each user once [E7]", async () => {
    const users = await Promise.all(Array.from({ length: rounds }, addUser))
    // Bought long ago, and not yet ended by the time that it came.
    await transact((db) =>
      db.entitlementSources.save(
        users.map((app_user_id) => ({
          ...{ id: randomUUID(), app_user_id, entitlement_id: "pro", source: "provider" as const, is_active: true },
          ...{ store: null, product_id: null, period_type: null, purchase_date: null, raw_data: {} },
          ...{ expiration_date: new Date(now - 2 * 3_600_000), updated_at: new Date(now) },
        })),
      ),
    )
    await process()
    for (const id of users) expect((await read(id)).map(({ row }) => row.is_active)).toEqual([false])
    const ended = await transact((db) => db.entitlementSources.ended(new Date(), 1_000))
    expect(ended).toEqual([])
  })
})
