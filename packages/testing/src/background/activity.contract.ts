import type { ControlDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, aProject } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"

const noon = Date.UTC(2026, 0, 1, 12)
/** Noon and some milliseconds. */
const noonAnd = (millis: number) => new Date(noon + millis)
const twoMinutes = 120_000
const hour = 3_600_000

/** What the control plane promises about which projects may have work waiting. */
export const activityContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) =>
  describe("activity", () => {
    let db: DatabaseUnderTest<ControlDb>
    beforeAll(async () => {
      db = await open()
    })

    const project = async (is_ready = true) => {
      const row = aProject({ is_ready })
      await db.transact((tx) => Effect.orDie(tx.projects.insert(row)))
      return row.id
    }
    const mark = (id: string, millis: number) => db.read((tx) => tx.activity.mark(id, noonAnd(millis)))
    const drained = (id: string, millis: number, wake: number | null = null) =>
      db.read((tx) => tx.activity.drained(id, noonAnd(millis), wake === null ? null : noonAnd(wake)))
    const isDue = async (id: string, millis = hour) =>
      (await db.read((tx) => tx.activity.due(noonAnd(millis)))).filter((due) => due === id).length === 1

    it("looks at a project until it was drained for the first time, marked or not", async () => {
      const [idle, marked] = [await project(), await project()]
      await mark(marked, 0)
      expect([await isDue(idle), await isDue(marked)]).toEqual([true, true])
      await drained(idle, 1)
      await drained(marked, twoMinutes)
      expect([await isDue(idle), await isDue(marked)]).toEqual([false, false])
    })

    it("looks at a marked project until two minutes after the mark", async () => {
      const id = await project()
      await drained(id, 0)
      await mark(id, 1_000)
      expect(await isDue(id)).toBe(true)
      await drained(id, 1_000)
      expect(await isDue(id)).toBe(true)
      await drained(id, 1_000 + twoMinutes - 1)
      expect(await isDue(id)).toBe(true)
      await drained(id, 1_000 + twoMinutes)
      expect(await isDue(id)).toBe(false)
      await mark(id, 1_000 + twoMinutes + 500)
      expect(await isDue(id)).toBe(true)
    })

    it("moves marks only forward", async () => {
      const id = await project()
      await drained(id, 0)
      await mark(id, hour)
      await mark(id, 1)
      await drained(id, hour + twoMinutes - 1)
      expect(await isDue(id)).toBe(true)
    })

    it("wakes a project when its time has come, and again only when it is told so", async () => {
      const id = await project()
      await drained(id, 0, hour)
      expect([await isDue(id, hour - 1), await isDue(id, hour), await isDue(id, 2 * hour)]).toEqual([false, true, true])
      await drained(id, hour + 1, 3 * hour)
      expect([await isDue(id, 2 * hour), await isDue(id, 3 * hour)]).toEqual([false, true])
      await drained(id, 3 * hour, null)
      expect(await isDue(id, 100 * hour)).toBe(false)
    })

    it("keeps the latest word on what was drained", async () => {
      const id = await project()
      await drained(id, hour, 2 * hour)
      await drained(id, hour - 1, null)
      expect([await isDue(id, 2 * hour - 1), await isDue(id, 2 * hour)]).toEqual([false, true])
      await drained(id, hour, null)
      expect(await isDue(id, 2 * hour)).toBe(false)
    })

    it("leaves out projects that are not ready, and remembers their marks", async () => {
      const id = await project(false)
      await drained(id, 0)
      await mark(id, 1)
      expect(await isDue(id)).toBe(false)
      await db.transact((tx) => tx.projects.update(id, { is_ready: true }))
      expect(await isDue(id)).toBe(true)
    })

    it("is about one project at a time, and goes with it", async () => {
      const [gone, kept] = [await project(), await project()]
      await drained(gone, 0)
      await drained(kept, 0)
      await mark(gone, 1)
      expect([await isDue(gone), await isDue(kept)]).toEqual([true, false])
      expect(await db.transact((tx) => tx.projects.remove({ id: gone }))).toBe(1)
      expect([await isDue(gone), await isDue(kept)]).toEqual([false, false])
    })

    const evaluated = (id: string, millis: number) => db.read((tx) => tx.activity.evaluated(id, noonAnd(millis)))
    /** Those of the given projects that are to be evaluated, in the order of the answer. */
    const toEvaluate = async (ids: ReadonlyArray<string>, millis: number) =>
      (await db.read((tx) => tx.activity.evaluationsDue(noonAnd(millis)))).filter((id) => ids.includes(id))

    it("evaluates the segments of a project at once, and from then on when its time has come", async () => {
      const id = await project()
      expect(await toEvaluate([id], -100 * hour)).toEqual([id])
      await drained(id, 0)
      expect(await toEvaluate([id], 0)).toEqual([id])
      await evaluated(id, hour)
      expect([await toEvaluate([id], hour - 1), await toEvaluate([id], hour)]).toEqual([[], [id]])
      await evaluated(id, 2 * hour)
      expect([await toEvaluate([id], 2 * hour - 1), await toEvaluate([id], 2 * hour)]).toEqual([[], [id]])
    })

    it("keeps the latest of the times that are noted, whoever comes last", async () => {
      const id = await project()
      await Promise.all([evaluated(id, 2 * hour), evaluated(id, hour), evaluated(id, 1)])
      expect([await toEvaluate([id], 2 * hour - 1), await toEvaluate([id], 2 * hour)]).toEqual([[], [id]])
    })

    it("evaluates those first that never were, then by their time, and no more than it is asked for", async () => {
      const [late, soon, never, other] = [await project(), await project(), await project(), await project()]
      await drained(never, 0)
      await evaluated(late, 3)
      await evaluated(soon, 2)
      const all = [late, soon, never, other]
      expect(await toEvaluate(all, 3)).toEqual([never, other, soon, late])
      const whole = await db.read((tx) => tx.activity.evaluationsDue(noonAnd(3)))
      for (const limit of [0, 1, whole.length - 1, whole.length + 1]) {
        const some = await db.read((tx) => tx.activity.evaluationsDue(noonAnd(3), limit))
        expect(some).toEqual(whole.slice(0, limit))
      }
    })

    it("keeps the time of evaluations apart from marks and wake times", async () => {
      const id = await project()
      await drained(id, 0, 2 * hour)
      await evaluated(id, 3 * hour)
      expect([await isDue(id, hour), await isDue(id, 2 * hour)]).toEqual([false, true])
      await mark(id, hour)
      await drained(id, 2 * hour)
      expect([await toEvaluate([id], 3 * hour - 1), await toEvaluate([id], 3 * hour)]).toEqual([[], [id]])
      expect(await isDue(id, 100 * hour)).toBe(false)
    })

    it("evaluates no project that is not ready, and remembers its time", async () => {
      const [early, late] = [await project(false), await project(false)]
      await evaluated(late, hour)
      expect(await toEvaluate([early, late], 2 * hour)).toEqual([])
      await db.transact((tx) =>
        Effect.forEach([early, late], (id) => tx.projects.update(id, { is_ready: true }), { discard: true }),
      )
      expect(await toEvaluate([early, late], hour - 1)).toEqual([early])
      expect(await toEvaluate([early, late], hour)).toEqual([early, late])
    })

    it("says nothing of projects that are not there", async () => {
      const id = anId()
      await mark(id, 0)
      await drained(id, 0, 1)
      await evaluated(id, 0)
      expect(await isDue(id)).toBe(false)
      expect(await toEvaluate([id], hour)).toEqual([])
    })
  })
