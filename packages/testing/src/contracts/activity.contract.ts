import type { ControlDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, aProject } from "../builders.ts"
import type { DatabaseUnderTest } from "./database-under-test.ts"

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

    it("says nothing of projects that are not there", async () => {
      const id = anId()
      await mark(id, 0)
      await drained(id, 0, 1)
      expect(await isDue(id)).toBe(false)
    })
  })
