import type { ControlDb } from "@hearth/core"
import type { JobSchedule } from "@hearth/core/background"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aProject } from "../projects/builders.ts"

const noon = Date.UTC(2026, 0, 1, 12)
/** Noon and some milliseconds. */
const noonAnd = (millis: number) => new Date(noon + millis)
const twoMinutes = 120_000
const hour = 3_600_000

/** What the control plane promises about when the jobs of projects are due. */
export const jobsContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) =>
  describe("project jobs", () => {
    let db: DatabaseUnderTest<ControlDb>
    beforeAll(async () => {
      db = await open()
    })

    const project = async (is_ready = true) => {
      const row = aProject({ is_ready })
      await db.transact((tx) => Effect.orDie(tx.projects.insert(row)))
      return row.id
    }
    const mark = (id: string, millis: number, job = "a", now = millis) =>
      db.read((tx) => tx.jobs.markPending(id, job, noonAnd(millis), noonAnd(now)))
    const versionOf = async (id: string, job = "a") => (await db.read((tx) => tx.jobs.versions(id))).get(job) ?? 0
    const scheduleAll = (id: string, lookedAt: number, schedules: ReadonlyArray<JobSchedule>) =>
      db.read((tx) => tx.jobs.schedule(id, noonAnd(lookedAt), schedules))
    /** Looks at `lookedAt` and schedules at once, as somebody alone would. */
    const schedule = async (id: string, lookedAt: number, at: number | null, job = "a") =>
      scheduleAll(id, lookedAt, [{ job, version: await versionOf(id, job), run_at: at === null ? null : noonAnd(at) }])
    const dueJobs = async (id: string, millis: number, jobs: ReadonlyArray<string>) =>
      (await db.read((tx) => tx.jobs.due(jobs, noonAnd(millis)))).filter(({ project_id }) => project_id === id)
    const isDue = async (id: string, millis = 10 * hour) => (await dueJobs(id, millis, ["a"])).length === 1

    it("has a job due until it was scheduled for the first time, marked or not", async () => {
      const [idle, marked] = [await project(), await project()]
      await mark(marked, 0)
      expect([await isDue(idle, -hour), await isDue(marked, 0)]).toEqual([true, true])
      await schedule(idle, 0, null)
      await schedule(marked, twoMinutes, null)
      expect([await isDue(idle), await isDue(marked)]).toEqual([false, false])
    })

    it("has a job due when its time has come, and again only when it is told so", async () => {
      const id = await project()
      await schedule(id, 0, hour)
      expect([await isDue(id, hour - 1), await isDue(id, hour), await isDue(id, 2 * hour)]).toEqual([false, true, true])
      await schedule(id, hour, 3 * hour)
      expect([await isDue(id, 2 * hour), await isDue(id, 3 * hour)]).toEqual([false, true])
      await schedule(id, 3 * hour, null)
      expect(await isDue(id, 100 * hour)).toBe(false)
    })

    it("has a marked job due until somebody has looked two minutes after the mark", async () => {
      const id = await project()
      await schedule(id, 0, hour)
      await mark(id, 1_000)
      expect([await isDue(id, 999), await isDue(id, 1_000)]).toEqual([false, true])
      await schedule(id, 1_000 + twoMinutes - 1, null)
      expect(await isDue(id, 1_000 + twoMinutes)).toBe(true)
      await schedule(id, 1_000 + twoMinutes, null)
      expect(await isDue(id)).toBe(false)
      await mark(id, hour)
      expect(await isDue(id, hour)).toBe(true)
    })

    it("takes nothing back with an earlier mark", async () => {
      const id = await project()
      await mark(id, hour)
      await mark(id, 0)
      await schedule(id, hour + twoMinutes - 1, null)
      expect(await isDue(id, hour + twoMinutes)).toBe(true)
      await schedule(id, hour + twoMinutes, null)
      expect(await isDue(id)).toBe(false)
    })

    it("has a job that is marked for later due then, whatever looks find in the two minutes before", async () => {
      const id = await project()
      await schedule(id, 0, null)
      await mark(id, 24 * hour, "a", 0)
      await mark(id, hour, "a", 1_000)
      // Nothing of both is committed yet.
      await schedule(id, 1_000, null)
      expect([await isDue(id, hour - 1), await isDue(id, hour)]).toEqual([false, true])
      await schedule(id, 2_000, 30_000)
      expect([await isDue(id, 30_000 - 1), await isDue(id, 30_000)]).toEqual([false, true])
      // By now they are, and what looks find holds.
      await schedule(id, 1_000 + twoMinutes, 24 * hour)
      expect([await isDue(id, 24 * hour - 1), await isDue(id, 24 * hour)]).toEqual([false, true])
      await schedule(id, 24 * hour, null)
      expect(await isDue(id, 100 * hour)).toBe(false)
    })

    it("has what is marked and looked at again and again behind what waits longer", async () => {
      const [busy, other] = [await project(), await project()]
      await schedule(busy, 0, null)
      await schedule(other, 0, 5 * 60_000)
      for (let at = 0; at <= 8; at += 1) {
        await mark(busy, at * 60_000)
        await schedule(busy, at * 60_000, null)
      }
      const due = await db.read((tx) => tx.jobs.due(["a"], noonAnd(8 * 60_000)))
      const ours = due.map(({ project_id }) => project_id).filter((id) => id === busy || id === other)
      expect(ours).toEqual([other, busy])
    })

    it("keeps a time that somebody moved after the look, and one that somebody else has replaced", async () => {
      const id = await project()
      await schedule(id, 0, hour)
      const version = await versionOf(id)
      await mark(id, 5)
      await scheduleAll(id, 4, [{ job: "a", version, run_at: null }])
      expect(await isDue(id, 5)).toBe(true)

      const other = await project()
      const before = await versionOf(other)
      await schedule(other, 0, 2 * hour)
      await scheduleAll(other, 0, [{ job: "a", version: before, run_at: noonAnd(hour) }])
      expect([await isDue(other, 2 * hour - 1), await isDue(other, 2 * hour)]).toEqual([false, true])
    })

    it("leaves a row as it is where a look finds what it says, with its version", async () => {
      const id = await project()
      await schedule(id, 0, hour)
      await schedule(id, 0, null, "b")
      await mark(id, 1, "c")
      const before = await db.read((tx) => tx.jobs.versions(id))
      await schedule(id, 1, hour)
      await schedule(id, 1, null, "b")
      // Pending: it stays due, whatever was found.
      await schedule(id, 2, hour, "c")
      expect(await db.read((tx) => tx.jobs.versions(id))).toEqual(before)
      await schedule(id, 1, null)
      expect(await versionOf(id)).toBe((before.get("a") ?? 0) + 1)
    })

    it("has one of many who looked at the same row replace it", async () => {
      const id = await project()
      await mark(id, 0)
      const version = await versionOf(id)
      const times = [1, 2, 3, 4, 5, 6].map((hours) => noonAnd(hours * hour))
      await Promise.all(times.map((run_at) => scheduleAll(id, twoMinutes, [{ job: "a", version, run_at }])))
      expect(await versionOf(id)).toBe(version + 1)
      expect([await isDue(id, hour - 1), await isDue(id, 6 * hour)]).toEqual([false, true])
    })

    it("tells the jobs of a project apart", async () => {
      const id = await project()
      await scheduleAll(id, 0, [
        { job: "a", version: 0, run_at: noonAnd(2) },
        { job: "b", version: 0, run_at: noonAnd(1) },
        { job: "c", version: 0, run_at: null },
      ])
      const all = ["a", "b", "c", "d"]
      expect((await dueJobs(id, 2, all)).map(({ job }) => job)).toEqual(["d", "b", "a"])
      expect((await dueJobs(id, 1, all)).map(({ job }) => job)).toEqual(["d", "b"])
      expect(await dueJobs(id, 2, [])).toEqual([])
      expect(await db.read((tx) => tx.jobs.versions(id))).toEqual(
        new Map([
          ["a", 1],
          ["b", 1],
          ["c", 1],
        ]),
      )
    })

    it("names those first that were never scheduled, then by their time, and no more than it is asked for", async () => {
      const [late, soon, never] = [await project(), await project(), await project()]
      await schedule(late, 0, 3)
      await schedule(soon, 0, 2)
      const ours = [late, soon, never]
      const whole = await db.read((tx) => tx.jobs.due(["a"], noonAnd(3)))
      expect(whole.map(({ project_id }) => project_id).filter((id) => ours.includes(id))).toEqual([never, soon, late])
      for (const limit of [0, 1, whole.length - 1, whole.length + 1]) {
        expect(await db.read((tx) => tx.jobs.due(["a"], noonAnd(3), limit))).toEqual(whole.slice(0, limit))
      }
    })

    it("leaves out projects that are not ready, and remembers their marks", async () => {
      const id = await project(false)
      await schedule(id, 0, null)
      await mark(id, 1)
      expect(await isDue(id)).toBe(false)
      await db.transact((tx) => tx.projects.update(id, { is_ready: true }))
      expect(await isDue(id)).toBe(true)
    })

    it("is about one project at a time, and goes with it", async () => {
      const [gone, kept] = [await project(), await project()]
      await schedule(gone, 0, null)
      await schedule(kept, 0, null)
      await mark(gone, 1)
      expect([await isDue(gone), await isDue(kept)]).toEqual([true, false])
      expect(await db.transact((tx) => tx.projects.remove({ id: gone }))).toBe(1)
      expect([await isDue(gone), await isDue(kept)]).toEqual([false, false])
      expect(await db.read((tx) => tx.jobs.versions(gone))).toEqual(new Map())
    })

    it("says nothing of projects that are not there", async () => {
      const id = anId()
      await mark(id, 0)
      await schedule(id, 0, 1)
      expect(await isDue(id)).toBe(false)
    })
  })
