import type { ControlDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aProject } from "../projects/builders.ts"

const noonAnd = (millis: number) => new Date(Date.UTC(2026, 0, 1, 12) + millis)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** What the control plane promises about jobs whose times were written by a clock that was ahead. */
export const notedJobsContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) =>
  describe("project jobs, after a clock was ahead", () => {
    let db: DatabaseUnderTest<ControlDb>
    beforeAll(async () => {
      db = await open()
    })

    const project = async () => {
      const row = aProject({ is_ready: true })
      await db.transact((tx) => Effect.orDie(tx.projects.insert(row)))
      return row.id
    }
    const mark = (id: string, at: number, now = at) =>
      db.read((tx) => tx.jobs.markPending(id, "a", noonAnd(at), noonAnd(now)))
    const versionOf = async (id: string) => (await db.read((tx) => tx.jobs.versions(id))).get("a") ?? 0
    const schedule = async (id: string, lookedAt: number, at: number | null) => {
      const run_at = at === null ? null : noonAnd(at)
      const version = await versionOf(id)
      await db.read((tx) => tx.jobs.schedule(id, noonAnd(lookedAt), [{ job: "a", version, run_at }]))
    }
    const isDue = async (id: string, millis: number) =>
      (await db.read((tx) => tx.jobs.due(["a"], noonAnd(millis)))).some(({ project_id }) => project_id === id)

    it("have one due now whose time was noted in the future, until somebody has looked", async () => {
      const id = await project()
      await schedule(id, 3 * day, 3 * day + hour)
      expect(await isDue(id, 0)).toBe(true)
      await schedule(id, 0, hour)
      expect([await isDue(id, hour - 1), await isDue(id, hour)]).toEqual([false, true])
    })

    it("note it anew also where the look finds the same time", async () => {
      const id = await project()
      await schedule(id, 3 * day, 30 * day)
      await schedule(id, 0, 30 * day)
      expect([await isDue(id, 0), await isDue(id, 30 * day)]).toEqual([false, true])
    })

    it("obey what was noted up to a minute ahead, and what is never due", async () => {
      const [near, never] = [await project(), await project()]
      await schedule(near, minute, hour)
      await schedule(never, 3 * day, null)
      expect([await isDue(near, 0), await isDue(near, -1), await isDue(never, 0)]).toEqual([false, true, false])
    })

    it("have what was marked by it due, until somebody has looked two minutes after the first look", async () => {
      const id = await project()
      await schedule(id, 0, null)
      await mark(id, 3 * day)
      expect(await isDue(id, 0)).toBe(true)
      // What was marked may be committed after this look.
      await schedule(id, 0, null)
      expect(await isDue(id, 0)).toBe(true)
      await schedule(id, 2 * minute - 1, null)
      expect(await isDue(id, 2 * minute)).toBe(true)
      await schedule(id, 2 * minute, null)
      expect(await isDue(id, 100 * day)).toBe(false)
    })

    it("keep for the next look that a time is wrong, whoever marks the job for later", async () => {
      const id = await project()
      await schedule(id, 3 * day, 3 * day + hour)
      await mark(id, 30 * day, 0)
      expect(await isDue(id, 0)).toBe(true)
    })

    it("come after those that have been due for longer", async () => {
      const [wrong, late] = [await project(), await project()]
      await schedule(wrong, 3 * day, 3 * day + hour)
      await schedule(late, 0, 1)
      const due = await db.read((tx) => tx.jobs.due(["a"], noonAnd(2)))
      const ours = due.map(({ project_id }) => project_id).filter((id) => id === wrong || id === late)
      expect(ours).toEqual([late, wrong])
    })
  })
