import type { TenantDb } from "@hearth/core"
import type { DeliveryResult, PushDelivery } from "@hearth/core/push"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardText } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { makeFixtures, minute } from "./delivery-fixtures.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const options = (now = minute(5), limit = 10) => ({
  now,
  limit,
  after: null,
  providers: ["push_a", "push_b"] as const,
  properties: [],
})
const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id).toSorted()

/** What a project promises about claims of deliveries. */
export const pushClaimsContract = (open: Open) =>
  describe("claims of deliveries [E9]", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const fixtures = () => makeFixtures(db)

    it("take what is due, the longest due first, and count the try", async () => {
      const { user, campaign, delivery, list, claim } = fixtures()
      const [ada, id, other] = [await user(), await campaign(), await campaign()]
      await delivery(other, ada)
      const due = (n: number, given: Partial<PushDelivery> = {}) =>
        delivery(id, ada, { push_token_id: anId(), try_at: minute(n), ...given })
      const [late, early, equal] = [await due(5), await due(1, { tries: 3 }), await due(1)]
      await due(6)
      for (const status of ["claimed", "sent", "failed", "skipped", "unknown"] as const) await due(0, { status })
      expect(idsOf(await claim(id, { limit: 2 }))).toEqual(idsOf([early, equal]))
      expect(await claim(id, { providers: ["push_b"] })).toEqual([])
      expect(await claim(id)).toMatchObject([{ id: late.id, tries: 1, claimed_at: minute(5), fire_at: late.fire_at }])
      expect(await claim(id)).toEqual([])
      const changed = (await list(id)).find((row) => row.id === early.id)
      expect(changed).toStrictEqual({ ...early, status: "claimed", claimed_at: minute(5), tries: 4 })
    })

    it("take only what stands after a position", async () => {
      const { user, campaign, delivery, claim } = fixtures()
      const [ada, id] = [await user(), await campaign()]
      const due = (n: number) => delivery(id, ada, { push_token_id: anId(), try_at: minute(n) })
      const [early, equal, late] = [await due(1), await due(2), await due(3)]
      const beyond = (row: PushDelivery) => ({ after: { try_at: row.try_at, id: row.id }, limit: 1 })
      expect(await claim(id, beyond(late))).toEqual([])
      expect(idsOf(await claim(id, beyond(early)))).toEqual([equal.id])
      expect(await claim(id, beyond(equal))).toMatchObject([{ id: late.id, try_at: late.try_at }])
      expect(idsOf(await claim(id))).toEqual([early.id])
      const twins = [await due(4), await due(4)].toSorted((a, b) => (a.id < b.id ? -1 : 1))
      expect(idsOf(await claim(id, beyond(twins[0] as PushDelivery)))).toEqual([twins[1]?.id])
    })

    it.each(["draft", "scheduled", "sent", "cancelled", "failed"] as const)(
      "take nothing of a campaign that is %s",
      async (status) => {
        const { user, campaign, delivery, claim } = fixtures()
        const [ada, id] = [await user(), await campaign({ status })]
        await delivery(id, ada)
        expect([await claim(id), await claim(anId())]).toEqual([[], []])
      },
    )

    it("bring what texts are filled with, and the token of a device that is still theirs and active", async () => {
      const { user, campaign, delivery, claim } = fixtures()
      const properties = { a: { b: [1] }, [awkwardText]: awkwardText, left: "out" }
      const ada = await user({ display_name: awkwardText, properties }, [{ token: `${awkwardText} ${anId()}` }])
      const own = { push_token_id: ada.tokens[0]?.id ?? "" }
      const cases = [
        await user({}, [{ is_active: false }]),
        await user({ is_disabled: true }),
        { ...(await user()), tokens: [] },
        { ...(await user()), tokens: ada.tokens },
      ]
      const id = await campaign()
      await delivery(id, ada)
      const keys = ["a", awkwardText, "none"]
      expect(await claim(id, { properties: keys })).toMatchObject([
        { ...own, app_user_id: ada.id, token: ada.tokens[0]?.token, display_name: awkwardText, provider: "push_a" },
      ])
      const again = await campaign()
      await delivery(again, ada)
      const [claimed] = await claim(again, { properties: keys })
      expect(claimed?.properties).toStrictEqual({ a: { b: [1] }, [awkwardText]: awkwardText })
      for (const each of cases) {
        const one = await campaign()
        await delivery(one, each)
        expect(await claim(one)).toMatchObject([{ token: null, properties: {} }])
      }
    })

    it("of two transactions never meet, and none waits for the other", async () => {
      const { user, campaign, delivery } = fixtures()
      const [ada, id] = [await user(), await campaign()]
      const rows = [1, 2, 3].map((n) => delivery(id, ada, { push_token_id: anId(), try_at: minute(n) }))
      const [first, second, third] = await Promise.all(rows)
      const [one, other] = [beginOn(db), beginOn(db)]
      const claimed = (given: unknown) => idsOf((given as { readonly value: ReadonlyArray<PushDelivery> }).value)
      expect(claimed(await one.step((tx) => tx.pushDeliveries.claim(id, options(minute(5), 2))))).toEqual(
        idsOf([first, second] as never),
      )
      expect(claimed(await other.step((tx) => tx.pushDeliveries.claim(id, options())))).toEqual([third?.id])
      await one.rollBack()
      expect(claimed(await other.step((tx) => tx.pushDeliveries.claim(id, options())))).toEqual(
        idsOf([first, second] as never),
      )
      await other.commit()
    })

    it("hold the end of the campaign up, and take nothing once it has ended", async () => {
      const { user, campaign, delivery, list } = fixtures()
      const [ada, id] = [await user(), await campaign()]
      await delivery(id, ada)
      await delivery(id, ada, { push_token_id: anId() })
      const [claimer, canceller] = [beginOn(db), beginOn(db)]
      await claimer.step((tx) => tx.pushDeliveries.claim(id, options(minute(5), 1)))
      const cancelled = canceller.step((tx) =>
        Effect.andThen(tx.pushCampaigns.lock(id), Effect.orDie(tx.pushCampaigns.update(id, { status: "cancelled" }))),
      )
      expect(await isWaiting(cancelled)).toBe(true)
      await claimer.commit()
      await cancelled
      const late = beginOn(db)
      const claims = late.step((tx) => tx.pushDeliveries.claim(id, options()))
      expect(await isWaiting(claims)).toBe(true)
      await canceller.commit()
      expect(await claims).toMatchObject({ value: [] })
      await late.commit()
      expect((await list(id)).map(({ status }) => status).toSorted()).toEqual(["claimed", "pending"])
    })
  })

/** What a project promises about what becomes of deliveries. */
export const pushResultsContract = (open: Open) =>
  describe("results of deliveries [E9]", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const fixtures = () => makeFixtures(db)
    const finish = (results: ReadonlyArray<DeliveryResult>, claimedAt = minute(5), now = minute(6)) =>
      db.transact((tx) => tx.pushDeliveries.finish(results, claimedAt, now))
    const result = (
      { id, app_user_id }: Pick<PushDelivery, "id" | "app_user_id">,
      status: DeliveryResult["status"],
      given: Partial<DeliveryResult> = {},
    ): DeliveryResult => ({ id, app_user_id, status, error: null, try_at: null, ...given })

    it("are written together: what was sent, what failed, what is tried again, what nobody knows", async () => {
      const { user, campaign, delivery, list, claim } = fixtures()
      const [ada, id] = [await user(), await campaign()]
      for (let n = 0; n < 5; n += 1) await delivery(id, ada, { push_token_id: anId() })
      const [sent, failed, again, unknown, left] = await claim(id)
      const of = (row: typeof sent) => row ?? { id: "", app_user_id: "" }
      const changed = await finish([
        result(of(sent), "sent"),
        result(of(failed), "failed", { error: awkwardText }),
        result(of(again), "pending", { error: "Busy", try_at: minute(9) }),
        result(of(unknown), "unknown", { error: "Timeout" }),
      ])
      expect(new Set(changed.map((row) => [row.id, row.app_user_id, row.status].join()))).toEqual(
        new Set(
          [
            [sent, "sent"],
            [failed, "failed"],
            [again, "pending"],
            [unknown, "unknown"],
          ].map(([row, status]) => [(row as typeof sent)?.id, ada.id, status].join()),
        ),
      )
      const byId = new Map((await list(id)).map((row) => [row.id, row]))
      const read = (row: typeof sent) => byId.get(row?.id ?? "")
      const claimed = { claimed_at: minute(5), tries: 1, try_at: minute(0), sent_at: null, error: null }
      expect(read(sent)).toMatchObject({ ...claimed, status: "sent", sent_at: minute(6) })
      expect(read(failed)).toMatchObject({ ...claimed, status: "failed", error: awkwardText })
      expect(read(again)).toMatchObject({
        ...claimed,
        status: "pending",
        error: "Busy",
        try_at: minute(9),
        claimed_at: null,
      })
      expect(read(unknown)).toMatchObject({ ...claimed, status: "unknown", error: "Timeout" })
      expect(read(left)).toMatchObject({ ...claimed, status: "claimed" })
    })

    it("change nothing that was not claimed then", async () => {
      const { user, campaign, delivery, list } = fixtures()
      const [ada, id] = [await user(), await campaign()]
      const rows: Array<PushDelivery> = []
      for (const status of ["pending", "sent", "failed", "skipped", "unknown"] as const)
        rows.push(await delivery(id, ada, { push_token_id: anId(), status, claimed_at: minute(5) }))
      rows.push(await delivery(id, ada, { push_token_id: anId(), status: "claimed", claimed_at: minute(4) }))
      const before = await list(id)
      expect(await finish([...rows, { id: anId(), app_user_id: anId() }].map((row) => result(row, "sent")))).toEqual([])
      expect([await finish([]), await list(id)]).toEqual([[], before])
    })

    it("lock their users before the deliveries", async () => {
      const { user, campaign, delivery, list } = fixtures()
      const [ada, bob, id] = [await user(), await user(), await campaign()]
      const claimed = { status: "claimed", claimed_at: minute(5) } as const
      const rows = [await delivery(id, ada, claimed), await delivery(id, bob, claimed)]
      const remover = beginOn(db)
      await remover.step((tx) => tx.users.lock(ada.id, "update"))
      const finished = finish(rows.map((row) => result(row, "sent")))
      expect(await isWaiting(finished)).toBe(true)
      await remover.step((tx) => tx.users.remove({ id: ada.id }))
      await remover.commit()
      expect(await finished).toEqual([{ id: rows[1]?.id, app_user_id: bob.id, status: "sent" }])
      expect(await list(id)).toHaveLength(1)
    })

    it("deactivate devices, but none that was registered since", async () => {
      const { user } = fixtures()
      const { tokens } = await user({}, [
        { registered_at: minute(1) },
        { registered_at: minute(3) },
        { is_active: false, deactivated_reason: "before" },
      ])
      const devices = tokens.map(({ id }) => ({ push_token_id: id, reason: awkwardText, since: minute(2) }))
      await db.transact((tx) => tx.pushDeliveries.deactivate(devices, minute(6)))
      await db.transact((tx) => tx.pushDeliveries.deactivate([], minute(7)))
      const read = (id = "") => db.read((tx) => tx.pushTokens.find({ id }))
      const [dead, alive, gone] = await Promise.all(tokens.map(({ id }) => read(id)))
      const now = { is_active: false, deactivated_at: minute(6), deactivated_reason: awkwardText }
      expect(dead).toEqual(Option.some({ ...tokens[0], ...now }))
      expect([alive, gone]).toEqual([Option.some(tokens[1]), Option.some(tokens[2])])
    })

    it("of lost claims are unknown, of a campaign that has ended skipped or failed: up to a limit", async () => {
      const { user, campaign, delivery, list } = fixtures()
      const [ada, id] = [await user(), await campaign()]
      const write = (given: Partial<PushDelivery>) => delivery(id, ada, { push_token_id: anId(), ...given })
      for (const n of [1, 2, 3]) await write({ status: "claimed", claimed_at: minute(n) })
      for (const n of [1, 2, 3]) await write({ try_at: minute(n), error: "Busy" })
      await write({ status: "sent", claimed_at: minute(1) })
      const giveUp = (limit: number) => db.transact((tx) => tx.pushDeliveries.giveUp(id, minute(2), limit))
      expect([await giveUp(1), await giveUp(5), await giveUp(5)]).toEqual([1, 1, 0])
      const settle = (limit: number) => db.transact((tx) => tx.pushDeliveries.settle(id, "skipped", "CANCELLED", limit))
      expect([await settle(2), await settle(2), await settle(2)]).toEqual([2, 1, 0])
      expect((await list(id)).map(({ status, error }) => `${status} ${error}`).toSorted()).toEqual([
        ...["claimed null", "sent null", "skipped CANCELLED", "skipped CANCELLED", "skipped CANCELLED"],
        ...["unknown PROCESS_LOST", "unknown PROCESS_LOST"],
      ])
    })

    it("are waited for: the next that is due, and the oldest claim", async () => {
      const { user, campaign, delivery } = fixtures()
      const [ada, id, other] = [await user(), await campaign(), await campaign()]
      await delivery(other, ada)
      const waiting = () => db.read((tx) => tx.pushDeliveries.waiting(id))
      const write = (given: Partial<PushDelivery>) => delivery(id, ada, { push_token_id: anId(), ...given })
      await write({ status: "sent", claimed_at: minute(0) })
      expect(await waiting()).toEqual({ try_at: null, claimed_at: null })
      for (const n of [3, 2]) await write({ try_at: minute(n) })
      for (const n of [5, 4]) await write({ status: "claimed", claimed_at: minute(n) })
      expect(await waiting()).toEqual({ try_at: minute(2), claimed_at: minute(4) })
    })

    it("are removed up to a limit, and with their user or campaign", async () => {
      const { user, campaign, delivery, list } = fixtures()
      const [ada, bob, id, other] = [await user(), await user(), await campaign(), await campaign()]
      for (const each of [ada, bob, bob]) await delivery(id, each, { push_token_id: anId() })
      await delivery(other, ada)
      const forget = () => db.transact((tx) => tx.pushDeliveries.forget(id, 2))
      expect([await forget(), await forget(), await forget()]).toEqual([2, 1, 0])
      expect(await list(other)).toHaveLength(1)
      await db.transact((tx) => tx.users.remove({ id: ada.id }))
      expect(await list(other)).toEqual([])
      await delivery(other, bob)
      await db.transact((tx) => tx.pushCampaigns.remove({ id: other }))
      expect(await list(other)).toEqual([])
    })
  })

/** What a project promises about receipts. */
export const pushReceiptsContract = (open: Open) =>
  describe("receipts of deliveries [H4.4]", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const receive = async (user: string, delivery_id: string, type: "delivered" | "opened", now: Date) =>
      Option.getOrNull(await db.transact((tx) => tx.pushDeliveries.receive(user, { delivery_id, type }, now)))

    it("set what is not set yet; opened also sets delivered", async () => {
      const { user, campaign, delivery } = makeFixtures(db)
      const [ada, campaign_id] = [await user(), await campaign()]
      const write = () => delivery(campaign_id, ada, { push_token_id: anId(), status: "sent" })
      const [one, other] = [await write(), await write()]
      const seen = (id: string, delivered_at: Date, opened_at: Date | null, fresh: readonly [boolean, boolean]) => ({
        ...{ id, campaign_id, delivered_at, opened_at, is_new_delivered: fresh[0], is_new_opened: fresh[1] },
      })
      const told = (type: "delivered" | "opened", n: number) => receive(ada.id, one.id, type, minute(n))
      expect(await told("delivered", 1)).toEqual(seen(one.id, minute(1), null, [true, false]))
      expect(await told("delivered", 2)).toEqual(seen(one.id, minute(1), null, [false, false]))
      expect(await told("opened", 3)).toEqual(seen(one.id, minute(1), minute(3), [false, true]))
      expect(await told("opened", 4)).toEqual(seen(one.id, minute(1), minute(3), [false, false]))
      expect(await told("delivered", 5)).toEqual(seen(one.id, minute(1), minute(3), [false, false]))
      expect(await receive(ada.id, other.id, "opened", minute(6))).toEqual(
        seen(other.id, minute(6), minute(6), [true, true]),
      )
    })

    it.each([
      ["pending", false],
      ["claimed", true],
      ["sent", true],
      ["failed", false],
      ["skipped", false],
      ["unknown", true],
    ] as const)("of one that is %s are taken: %s", async (status, isTaken) => {
      const { user, campaign, delivery } = makeFixtures(db)
      const ada = await user()
      const { id } = await delivery(await campaign(), ada, { status })
      expect((await receive(ada.id, id, "opened", minute(1))) !== null).toBe(isTaken)
    })

    it("are of the user's own deliveries", async () => {
      const { user, campaign, delivery } = makeFixtures(db)
      const [ada, bob] = [await user(), await user()]
      const { id } = await delivery(await campaign(), ada, { status: "sent" })
      expect([
        await receive(bob.id, id, "opened", minute(1)),
        await receive(ada.id, anId(), "opened", minute(1)),
      ]).toEqual([...[null, null]])
    })

    it("two at once count once", async () => {
      const { user, campaign, delivery } = makeFixtures(db)
      const ada = await user()
      const { id: delivery_id } = await delivery(await campaign(), ada, { status: "sent" })
      const first = beginOn(db)
      await first.step((tx) => tx.pushDeliveries.receive(ada.id, { delivery_id, type: "opened" }, minute(1)))
      const second = receive(ada.id, delivery_id, "opened", minute(2))
      expect(await isWaiting(second)).toBe(true)
      await first.commit()
      expect(await second).toMatchObject({ opened_at: minute(1), is_new_opened: false, is_new_delivered: false })
    })
  })
