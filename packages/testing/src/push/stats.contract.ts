import type { TenantDb } from "@hearth/core"
import { Effect, Option } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aPushCampaign } from "./builders.ts"

const minute = (n: number) => new Date(Date.UTC(2026, 2, 1, 12, n))
const zeros = { sent: 0, delivered: 0, opened: 0, failed: 0, recipients: 0, skipped: 0, unknown: 0 }

/** What a project promises about the statistics of campaigns. */
export const pushStatsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("statistics of campaigns [H4.4]", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.pushCampaigns.remove({})))

    const started = async (given: Parameters<typeof aPushCampaign>[0] = {}) => {
      const campaign = aPushCampaign(given)
      await db.transact((tx) =>
        Effect.gen(function* () {
          yield* Effect.orDie(tx.pushCampaigns.insert(campaign))
          const audience = yield* tx.pushDeliveries.gather(campaign)
          yield* audience.writeDeliveries([], null)
        }),
      )
      return campaign.id
    }
    const stats = async (...ids: ReadonlyArray<string>) => [...(await db.read((tx) => tx.pushStats.ofCampaigns(ids)))]

    it("are zeros until the recipients are fixed, and where there is no campaign", async () => {
      const [unknown, id] = [anId(), await started()]
      expect(await stats(unknown, id)).toEqual([
        [unknown, zeros],
        [id, zeros],
      ])
      expect(await stats()).toEqual([])
    })

    it("are added up, each campaign's for itself", async () => {
      const [one, other] = [await started(), await started()]
      const add = (id: string, changes: object) => db.transact((tx) => tx.pushStats.add(id, changes))
      await add(one, { sent: 500, failed: 2, unknown: 1 })
      await add(one, { sent: 1, delivered: 3, opened: 2 })
      await add(one, {})
      await add(anId(), { sent: 1 })
      expect(await stats(one, other)).toEqual([
        [one, { ...zeros, sent: 501, failed: 2, unknown: 1, delivered: 3, opened: 2 }],
        [other, zeros],
      ])
    })

    it("are open until all deliveries have ended, and kept from then on", async () => {
      const [first, second] = [await started(), await started()].toSorted() as [string, string]
      const listOpen = (limit = 10) => db.read((tx) => tx.pushStats.listOpen(limit))
      const oldest = async () => Option.getOrNull(await db.read((tx) => tx.pushStats.oldestKept()))
      expect([await listOpen(), await listOpen(1), await oldest()]).toEqual([[first, second], [first], null])
      await db.transact((tx) => tx.pushStats.end(second, minute(1)))
      await db.transact((tx) => tx.pushStats.end(second, minute(9)))
      expect([await listOpen(), await oldest()]).toEqual([[first], { campaign_id: second, ended_at: minute(1) }])
      await db.transact((tx) => tx.pushStats.end(first, minute(0)))
      expect([await listOpen(), await oldest()]).toEqual([[], { campaign_id: first, ended_at: minute(0) }])
      await db.transact((tx) => tx.pushStats.markForgotten(first))
      expect(await oldest()).toEqual({ campaign_id: second, ended_at: minute(1) })
      await db.transact((tx) => tx.pushStats.markForgotten(second))
      expect([await oldest(), await stats(first)]).toEqual([null, [[first, zeros]]])
    })

    it("go with their campaign", async () => {
      const id = await started()
      await db.transact((tx) => tx.pushCampaigns.remove({ id }))
      expect(await db.read((tx) => tx.pushStats.listOpen(10))).toEqual([])
    })
  })
