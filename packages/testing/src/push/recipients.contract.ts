import type { TenantDb } from "@hearth/core"
import type { PushCampaign, ZoneFiring } from "@hearth/core/push"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { aSegment } from "../segments/builders.ts"
import { makeFixtures, minute, zeros } from "./delivery-fixtures.ts"

/** What a project promises about whom campaigns reach. */
export const pushRecipientsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("deliveries are made for those whom a campaign reaches [H4.6]", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const fixtures = () => makeFixtures(db)
    const gather = (
      given: Pick<PushCampaign, "id" | "segment_id">,
      firings: ReadonlyArray<ZoneFiring>,
      error: string | null = null,
    ) =>
      db.transact((tx) =>
        Effect.gen(function* () {
          const audience = yield* tx.pushDeliveries.gather(given)
          yield* audience.writeDeliveries(firings, error)
          return { providers: audience.providers, timezones: new Set(audience.timezones) }
        }),
      )
    const segmentOf = async (...userIds: ReadonlyArray<string>) => {
      const segment = aSegment()
      await db.transact((tx) =>
        Effect.orDie(
          Effect.andThen(tx.segments.insert(segment), tx.segmentMembers.add([segment.id], userIds, minute(0))),
        ),
      )
      return segment.id
    }
    const stats = async (id: string) => (await db.read((tx) => tx.pushStats.ofCampaigns([id]))).get(id)

    it("members of its segment with active devices, each zone at its time, too late ones skipped", async () => {
      const { user, campaign, list } = fixtures()
      const ada = await user({ timezone: "Europe/Athens" }, [{}, { provider: "push_b" }, { is_active: false }])
      const [bob, eve] = [await user({ timezone: null }), await user({ timezone: "Asia/Tokyo" }, [{}, {}])]
      const outside = [await user({ is_disabled: true }), await user({}, []), await user({}, [{ is_active: false }])]
      await user({ timezone: "Europe/Paris" })
      const segment_id = await segmentOf(ada.id, bob.id, eve.id, ...outside.map(({ id }) => id))
      const id = await campaign()
      const firings = [
        { timezone: "Europe/Athens", fire_at: minute(1), is_skipped: false },
        { timezone: null, fire_at: minute(2), is_skipped: false },
        { timezone: "Asia/Tokyo", fire_at: minute(0), is_skipped: true },
      ]
      expect(await gather({ id, segment_id }, firings)).toEqual({
        providers: ["push_a", "push_b"],
        timezones: new Set(["Europe/Athens", null, "Asia/Tokyo"]),
      })
      const rows = await list(id)
      const shown = rows.map(({ push_token_id, status, error, fire_at, try_at, provider }) =>
        JSON.stringify([push_token_id, provider, status, error, fire_at, try_at]),
      )
      const expected = [
        [ada.tokens[0]?.id, "push_a", "pending", null, minute(1), minute(1)],
        [ada.tokens[1]?.id, "push_b", "pending", null, minute(1), minute(1)],
        [bob.tokens[0]?.id, "push_a", "pending", null, minute(2), minute(2)],
        [eve.tokens[0]?.id, "push_a", "skipped", "TOO_LATE", minute(0), minute(0)],
        [eve.tokens[1]?.id, "push_a", "skipped", "TOO_LATE", minute(0), minute(0)],
      ].map((row) => JSON.stringify(row))
      expect(shown.toSorted()).toEqual(expected.toSorted())
      expect(
        rows.every(({ tries, claimed_at, sent_at }) => tries === 0 && claimed_at === null && sent_at === null),
      ).toBe(true)
      expect(await stats(id)).toEqual({ ...zeros, recipients: 2, skipped: 1 })
    })

    it("with ids of version 7, in the order in which they are sent [A10]", async () => {
      const { user, campaign, list } = fixtures()
      const zones = [null, "Asia/Tokyo", "Europe/Paris", null, "Asia/Tokyo", "Europe/Paris"]
      const users = await Promise.all(zones.map((timezone) => user({ timezone }, [{}, {}, {}])))
      const [id, segment_id] = [await campaign(), await segmentOf(...users.map((one) => one.id))]
      const firings = [
        { timezone: null, fire_at: minute(2), is_skipped: false },
        { timezone: "Asia/Tokyo", fire_at: minute(3), is_skipped: false },
        { timezone: "Europe/Paris", fire_at: minute(1), is_skipped: false },
      ]
      await gather({ id, segment_id }, firings)
      const rows = await list(id)
      const keys = rows.map((row) => [row.fire_at.toISOString(), row.app_user_id, row.push_token_id].join())
      expect(keys).toHaveLength(18)
      expect(keys).toEqual(keys.toSorted())
      expect(rows.filter((row) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(row.id))).toEqual([])
    })

    it("failed at once for a reason, but for those who are skipped", async () => {
      const { user, campaign, list } = fixtures()
      const [ada, eve] = [await user({ timezone: null }, [{}, {}]), await user({ timezone: "Asia/Tokyo" })]
      const [id, segment_id] = [await campaign(), await segmentOf(ada.id, eve.id)]
      const firings = [
        { timezone: null, fire_at: minute(2), is_skipped: false },
        { timezone: "Asia/Tokyo", fire_at: minute(0), is_skipped: true },
      ]
      await gather({ id, segment_id }, firings, "NOT_CONFIGURED")
      expect((await list(id)).map(({ status, error }) => [status, error]).toSorted()).toEqual([
        ...[
          ["failed", "NOT_CONFIGURED"],
          ["failed", "NOT_CONFIGURED"],
          ["skipped", "TOO_LATE"],
        ],
      ])
      expect(await stats(id)).toEqual({ ...zeros, recipients: 1, skipped: 1, failed: 2 })
    })

    it("everybody without a segment, nobody without users, and once", async () => {
      const { user, campaign, list } = fixtures()
      const [{ id: userId }, id] = [await user(), await campaign()]
      const firing = (timezone: string | null) => ({ timezone, fire_at: minute(0), is_skipped: false })
      const zones = await db.transact((tx) =>
        Effect.map(tx.pushDeliveries.gather({ id, segment_id: null }), (a) => a.timezones),
      )
      await gather({ id, segment_id: null }, zones.map(firing))
      expect((await list(id)).some(({ app_user_id }) => app_user_id === userId)).toBe(true)
      const again = db.attempt((tx) =>
        Effect.flatMap(tx.pushDeliveries.gather({ id, segment_id: null }), (audience) =>
          audience.writeDeliveries(zones.map(firing), null),
        ),
      )
      expect(died(await again)).toBe(true)
      const empty = await campaign()
      expect(await gather({ id: empty, segment_id: await segmentOf() }, [])).toEqual({
        providers: [],
        timezones: new Set(),
      })
      expect([await list(empty), await stats(empty)]).toEqual([[], zeros])
    })

    it("users stay until it is committed", async () => {
      const { user, campaign, list } = fixtures()
      const [ada, id] = [await user(), await campaign()]
      const segment_id = await segmentOf(ada.id)
      const [gatherer, remover] = [beginOn(db), beginOn(db)]
      await gatherer.step((tx) =>
        Effect.flatMap(tx.pushDeliveries.gather({ id, segment_id }), (audience) =>
          audience.writeDeliveries([{ timezone: null, fire_at: minute(0), is_skipped: false }], null),
        ),
      )
      const removed = remover.step((tx) => tx.users.remove({ id: ada.id }))
      expect(await isWaiting(removed)).toBe(true)
      await gatherer.commit()
      await removed
      await remover.commit()
      expect(await list(id)).toEqual([])
    })
  })
