import type { TenantDb } from "@hearth/core"
import type { PushCampaign } from "@hearth/core/push"
import { Effect, Option } from "effect"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn } from "../contracts/interleaving.harness.ts"
import { aSegment } from "../segments/builders.ts"
import { writeUser } from "../users/tables.ts"
import { aPushCampaign } from "./builders.ts"

const minute = (n: number) => new Date(Date.UTC(2026, 2, 1, 12, n))

/** What a project promises about campaigns. */
export const pushCampaignsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("campaigns", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.pushCampaigns.remove({})))

    const write = async (given: Partial<PushCampaign> = {}) => {
      const row = aPushCampaign(given)
      await db.transact((tx) => Effect.orDie(tx.pushCampaigns.insert(row)))
      return row
    }
    const scheduled = (n: number) => write({ status: "scheduled", scheduled_at: minute(n) })

    it("are open while they are sent, and when their time has come", async () => {
      const [late, early, sending] = [await scheduled(5), await scheduled(2), await write({ status: "sending" })]
      const begun = await write({ status: "sending", scheduled_at: minute(3) })
      await scheduled(6)
      for (const status of ["draft", "sent", "cancelled", "failed"] as const)
        await write({ status, scheduled_at: minute(1) })
      const open = (until: Date, limit = 10) => db.read((tx) => tx.pushCampaigns.findOpen(until, limit))
      expect(await open(minute(5))).toStrictEqual([sending, early, begun, late])
      expect(await open(minute(5), 2)).toStrictEqual([sending, early])
      expect(await open(minute(0))).toStrictEqual([sending, begun])
    })

    it("have a next time for which one is scheduled", async () => {
      const next = (after: Date) => db.read((tx) => tx.pushCampaigns.nextScheduledAt(after))
      expect(await next(minute(0))).toBeNull()
      await scheduled(5)
      await scheduled(2)
      await write({ status: "sending", scheduled_at: minute(1) })
      await write({ status: "failed", scheduled_at: minute(1) })
      expect([await next(minute(0)), await next(minute(2)), await next(minute(5))]).toEqual([
        minute(2),
        minute(5),
        null,
      ])
    })

    const schedule = async (status: PushCampaign["status"], updated: number) => {
      const scheduled_for = await db.transact(writeUser)
      const segment = aSegment({ is_system: true, rules: { system: true } })
      const campaign = aPushCampaign({ status, updated_at: minute(updated), segment_id: segment.id, scheduled_for })
      await db.transact((tx) =>
        Effect.orDie(
          Effect.gen(function* () {
            yield* tx.pushCampaigns.insert(campaign)
            yield* tx.segments.insert({ ...segment, campaign_id: campaign.id })
            yield* tx.segmentMembers.add([segment.id], [scheduled_for], minute(0))
          }),
        ),
      )
      return { campaign, segmentId: segment.id, userId: scheduled_for }
    }
    const segmentOf = async (id: string) => Option.isSome(await db.read((tx) => tx.segments.find({ id })))
    const find = async (id: string) => Option.getOrNull(await db.read((tx) => tx.pushCampaigns.find({ id })))

    it("have a segment of their own at most once, which goes with them", async () => {
      const { campaign, segmentId, userId } = await schedule("scheduled", 0)
      const second = aSegment({ campaign_id: campaign.id })
      const exit = await db.attempt((tx) => tx.segments.insert(second))
      expect(String(exit)).toContain("Duplicate")
      expect(await db.transact((tx) => tx.pushCampaigns.remove({ id: campaign.id }))).toBe(1)
      expect(await segmentOf(segmentId)).toBe(false)
      expect(Option.isNone(await db.read((tx) => tx.segments.membership(segmentId, userId)))).toBe(true)
      const orphan = await db.attempt((tx) => tx.segments.insert(aSegment({ campaign_id: anId() })))
      expect(orphan._tag).toBe("Failure")
    })

    it("lose the segments of push-schedules a while after their end, the oldest first [H4.6]", async () => {
      const oldest = () => db.read((tx) => tx.pushCampaigns.oldestSchedule())
      const forget = (before: Date, limit = 10) => db.transact((tx) => tx.pushCampaigns.forgetSchedules(before, limit))
      expect(await oldest()).toBeNull()
      const [sent, failed, cancelled] = [
        await schedule("sent", 3),
        await schedule("failed", 2),
        await schedule("cancelled", 4),
      ]
      const [waiting, sending] = [await schedule("scheduled", 1), await schedule("sending", 1)]
      await write({ status: "sent", updated_at: minute(0), segment_id: anId() })
      expect(await oldest()).toEqual(minute(2))
      expect(await forget(minute(2))).toBe(0)
      expect(await forget(minute(4), 1)).toBe(1)
      expect([await segmentOf(failed.segmentId), await segmentOf(sent.segmentId), await oldest()]).toEqual([
        ...[false, true],
        minute(3),
      ])
      expect(await find(failed.campaign.id)).toStrictEqual({ ...failed.campaign, scheduled_for: null })
      expect(await forget(minute(4))).toBe(1)
      expect(await forget(minute(4))).toBe(0)
      const kept = [cancelled, waiting, sending]
      expect(await Promise.all(kept.map(({ segmentId }) => segmentOf(segmentId)))).toEqual([true, true, true])
      for (const { campaign } of kept) expect(await find(campaign.id)).toStrictEqual(campaign)
    })

    it("that somebody has locked keep theirs for now", async () => {
      const { campaign, segmentId } = await schedule("sent", 1)
      const other = beginOn(db)
      await other.step((tx) => tx.pushCampaigns.lock(campaign.id))
      expect(await db.transact((tx) => tx.pushCampaigns.forgetSchedules(minute(9), 10))).toBe(0)
      await other.commit()
      expect(await db.transact((tx) => tx.pushCampaigns.forgetSchedules(minute(9), 10))).toBe(1)
      expect(await segmentOf(segmentId)).toBe(false)
    })
  })
