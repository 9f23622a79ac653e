import type { TenantDb } from "@hearth/core"
import { type OnboardingProgressRow, onboardingProgressSection } from "@hearth/core/onboarding"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardJson, lateInstant } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aFlow, aProgress } from "./builders.ts"
import { writeFlow } from "./tables.ts"

/** What a project promises about the flows that a user sees. */
export const onboardingFlowsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("flows of onboarding", () => {
    it("are shown while active, and to those who have started, the oldest first", async () => {
      const db = await open()
      const [user, other] = [await db.transact(writeUser), await db.transact(writeUser)]
      const day = (n: number) => new Date(`2026-01-0${n}T00:00:00.000Z`)
      const [young, begun, hidden, old] = [
        aFlow({ created_at: day(4) }),
        aFlow({ created_at: day(3), is_active: false, steps: [awkwardJson] }),
        aFlow({ created_at: day(2), is_active: false }),
        aFlow({ created_at: day(1) }),
      ]
      await db.transact((tx) =>
        Effect.orDie(Effect.forEach([young, begun, hidden, old], (flow) => tx.onboardingFlows.insert(flow))),
      )
      const start = (app_user_id: string, flow_id: string) =>
        db.transact((tx) => Effect.orDie(tx.onboardingProgress.insert(aProgress({ app_user_id, flow_id }))))
      await start(user, begun.id)
      await start(user, old.id)
      await start(other, hidden.id)
      const page = (id: string, limit = 9, offset = 0) =>
        db.read((tx) => tx.onboardingFlows.pageShownTo(id, { limit, offset }))
      const shown = async (id: string) => (await page(id)).rows
      expect(await shown(user)).toStrictEqual([old, begun, young])
      expect(await shown(other)).toStrictEqual([old, hidden, young])
      expect(await shown(anId())).toStrictEqual([old, young])
      expect(await page(user, 1, 1)).toStrictEqual({ rows: [begun], total: 3 })
      expect(await page(user, 9, 3)).toStrictEqual({ rows: [], total: 3 })
    })

    it("are shown by their ids where they were made at once", async () => {
      const db = await open()
      const ids = Array.from({ length: 6 }, anId).toSorted()
      for (const place of [3, 0, 5, 1, 4, 2])
        await db.transact((tx) => Effect.orDie(tx.onboardingFlows.insert(aFlow({ id: ids[place] as string }))))
      for (const [limit, offset] of [
        [6, 0],
        [2, 1],
      ] as const) {
        const { rows } = await db.read((tx) => tx.onboardingFlows.pageShownTo(anId(), { limit, offset }))
        expect(rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + limit))
      }
    })

    it("are all read, whether or not what the user has done of them cuts their pages", async () => {
      const db = await open()
      const user = await db.transact(writeUser)
      const text = Array.from({ length: 20_000 }, (_, n) => (n * n).toString(36)).join(" ")
      const flows = Array.from({ length: 15 }, (_, n) => aFlow({ created_at: new Date(n) }))
      for (const flow of flows)
        await db.transact((tx) =>
          Effect.andThen(
            writeFlow(tx, flow),
            tx.onboardingProgress.insertNew(
              aProgress({ app_user_id: user, flow_id: flow.id, answers: { "0": { text } } }),
            ),
          ),
        )
      const read: Array<string> = []
      for (let isCut = true; isCut; ) {
        const slice = { limit: 15 - read.length, offset: read.length }
        const { rows, total, is_cut } = await db.read((tx) => tx.onboardingFlows.pageShownTo(user, slice))
        expect([rows.length > 0, total]).toEqual([true, 15])
        const ids = rows.map(({ id }) => id)
        const done = await db.read((tx) => tx.onboardingProgress.listOf(user, ids))
        expect(done.map(({ flow_id }) => flow_id).toSorted()).toEqual(ids.toSorted())
        read.push(...ids)
        isCut = is_cut === true
      }
      expect(read).toEqual(flows.map(({ id }) => id))
    })
  })

/** What a project promises about what users have done of flows. */
export const onboardingProgressContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("progress in onboarding", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = () => db.transact(writeUser)
    const flow = () => db.transact((tx) => writeFlow(tx))
    const insertNew = (row: OnboardingProgressRow) => db.transact((tx) => tx.onboardingProgress.insertNew(row))
    const lockOf = (userId: string, flowId: string) =>
      db.transact((tx) => Effect.map(tx.onboardingProgress.lockOf(userId, flowId), Option.getOrNull))

    it("is written once per user and flow, and kept as it was written first", async () => {
      const [app_user_id, flow_id] = [await user(), await flow()]
      const first = aProgress({ app_user_id, flow_id, answers: awkwardJson, steps: [awkwardJson, {}] })
      expect(await insertNew(first)).toBe(true)
      expect(await insertNew(aProgress({ app_user_id, flow_id }))).toBe(false)
      expect(await lockOf(app_user_id, flow_id)).toStrictEqual(first)
      expect(await insertNew(aProgress({ app_user_id, flow_id: await flow() }))).toBe(true)
      expect(await lockOf(await user(), flow_id)).toBeNull()
    })

    it("is written by one of many at once, and read by all of them", async () => {
      const [app_user_id, flow_id] = [await user(), await flow()]
      const rows = Array.from({ length: 6 }, () => aProgress({ app_user_id, flow_id }))
      const answers = await Promise.all(
        rows.map((row) =>
          db.transact((tx) =>
            Effect.all([
              tx.onboardingProgress.insertNew(row),
              Effect.map(tx.onboardingProgress.find({ app_user_id, flow_id }), Option.getOrNull),
            ]),
          ),
        ),
      )
      const written = rows.filter((_, index) => answers[index]?.[0])
      expect(written).toHaveLength(1)
      for (const [, found] of answers) expect(found).toStrictEqual(written[0])
    })

    it("is locked until the transaction ends", async () => {
      const [app_user_id, flow_id] = [await user(), await flow()]
      await insertNew(aProgress({ app_user_id, flow_id }))
      const step = (tx: TenantDb) =>
        Effect.gen(function* () {
          const { id, current_step } = Option.getOrThrow(yield* tx.onboardingProgress.lockOf(app_user_id, flow_id))
          yield* Effect.orDie(tx.onboardingProgress.update(id, { current_step: current_step + 1 }))
        })
      await Promise.all(Array.from({ length: 8 }, () => db.transact(step)))
      expect(await lockOf(app_user_id, flow_id)).toMatchObject({ current_step: 8 })
    })

    it("is counted by flow, status and the furthest step", async () => {
      await db.transact((tx) => tx.onboardingFlows.remove({}))
      const [one, two] = [await flow(), await flow()]
      const given: ReadonlyArray<Partial<OnboardingProgressRow> & { readonly flow_id: string }> = [
        { flow_id: one },
        { flow_id: one, current_step: 1 },
        { flow_id: one, current_step: 1, status: "skipped" },
        // Who has done every step has come to the last one.
        { flow_id: one, current_step: 2, status: "completed" },
        { flow_id: one, current_step: 2 },
        { flow_id: two, current_step: 5, step_count: 9 },
      ]
      for (const each of given) await insertNew(aProgress({ app_user_id: await user(), ...each }))
      const counts = await db.read((tx) => tx.onboardingProgress.counts())
      const count = (flow_id: string, status: string, furthest: number, users: number) => ({
        ...{ flow_id, status, furthest, users },
      })
      const expected = [
        count(one, "in_progress", 0, 1),
        count(one, "in_progress", 1, 2),
        count(one, "skipped", 1, 1),
        count(one, "completed", 1, 1),
        count(two, "in_progress", 5, 1),
      ]
      expect(counts).toHaveLength(expected.length)
      expect(counts).toEqual(expect.arrayContaining(expected))
    })

    it("goes with its user and its flow", async () => {
      const [ada, bob, one, two] = [await user(), await user(), await flow(), await flow()]
      for (const app_user_id of [ada, bob])
        for (const flow_id of [one, two]) await insertNew(aProgress({ app_user_id, flow_id }))
      await db.transact((tx) => tx.onboardingFlows.remove({ id: one }))
      await db.transact((tx) => tx.users.remove({ id: ada }))
      const left = await db.read((tx) => tx.onboardingProgress.list({ app_user_id: bob }, []))
      expect(left).toMatchObject([{ flow_id: two }])
      expect(await db.read((tx) => tx.onboardingProgress.list({ app_user_id: ada }, []))).toEqual([])
    })
  })

const writeSection = Effect.fnUntraced(function* (db: TenantDb) {
  const app_user_id = yield* writeUser(db)
  const [one, two] = [yield* writeFlow(db), yield* writeFlow(db)]
  const done = { status: "completed", completed_at: lateInstant, current_step: 2 } as const
  const rows = [
    aProgress({ app_user_id, flow_id: one, steps: [awkwardJson], answers: { "0": awkwardJson } }),
    aProgress({ app_user_id, flow_id: two, ...done }),
  ]
  yield* Effect.forEach(rows, db.onboardingProgress.insert)
  return { userId: app_user_id, rows }
})

/** What a project promises about progress in the file about a user. */
export const onboardingProgressSectionContract = sectionContract(onboardingProgressSection, writeSection)
