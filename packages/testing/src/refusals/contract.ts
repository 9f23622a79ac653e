import type { ControlDb } from "@hearth/core"
import type { RefusedCallRow, RefusedQuery } from "@hearth/core/refusals"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt, type Given } from "../builders.ts"
import { awkwardText } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aProject } from "../projects/builders.ts"

const at = (seconds: number) => new Date(builtAt.getTime() + seconds * 1_000)

const aRefusedCall = (given: Given<RefusedCallRow, "project_id">): RefusedCallRow => ({
  ...{ id: anId(), caller: "app", method: "POST", path: "/v1/client/events", status: 400, code: "INVALID_EVENT" },
  ...{ message: "event_name is required.", request_id: anId(), count: 1, first_at: at(0), last_at: at(0) },
  ...given,
})

const everything: RefusedQuery = { code: null, status: null, since: at(-1_000_000) }

/** What the control database promises about refused calls. */
export const refusedCallsContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) =>
  describe("refused calls", () => {
    let db: DatabaseUnderTest<ControlDb>
    beforeAll(async () => {
      db = await open()
    })
    const project = async () => {
      const made = aProject({ is_ready: true })
      await db.transact((tx) => Effect.orDie(tx.projects.insert(made)))
      return made.id
    }
    const add = (rows: ReadonlyArray<RefusedCallRow>, bounds = { since: at(-1_000_000), most: 1_000 }) =>
      db.transact((tx) => tx.refusedCalls.add(rows, bounds))
    const page = (projectId: string, query: Partial<RefusedQuery> = {}, slice = { limit: 100, offset: 0 }) =>
      db.read((tx) => tx.refusedCalls.page(projectId, { ...everything, ...query }, slice))

    it("are kept as they are given, by project, the latest first", async () => {
      const [one, two] = [await project(), await project()]
      const rows = [
        aRefusedCall({ project_id: one, last_at: at(3), count: 2_147_483_647 }),
        aRefusedCall({ project_id: one, last_at: at(2), message: awkwardText, request_id: awkwardText, status: 413 }),
        aRefusedCall({ project_id: one, last_at: at(2), caller: "unknown" }),
      ]
      const other = aRefusedCall({ project_id: two, caller: "developer" })
      await add([rows[2] ?? other, other, rows[0] ?? other, rows[1] ?? other])
      expect(await page(one)).toStrictEqual({ rows, total: 3 })
      expect(await page(two)).toStrictEqual({ rows: [other], total: 1 })
      expect(await page(one, {}, { limit: 1, offset: 1 })).toStrictEqual({ rows: rows.slice(1, 2), total: 3 })
      expect(await page(anId())).toStrictEqual({ rows: [], total: 0 })
    })

    it("add up by kind, with what the latest was told", async () => {
      const id = await project()
      const first = aRefusedCall({ project_id: id, count: 2, first_at: at(10), last_at: at(20), message: "first" })
      const earlier = { ...first, id: anId(), count: 3, first_at: at(5), last_at: at(15), message: "earlier" }
      const last = {
        ...first,
        id: anId(),
        count: 4,
        first_at: at(20),
        last_at: at(30),
        message: "last",
        request_id: "r",
      }
      await add([first])
      await add([earlier])
      expect((await page(id)).rows).toStrictEqual([{ ...first, count: 5, first_at: at(5) }])
      await add([last])
      expect((await page(id)).rows).toStrictEqual([{ ...last, id: first.id, count: 9, first_at: at(5) }])
      await add([{ ...last, id: anId(), count: 2_147_483_647 }])
      expect((await page(id)).rows).toMatchObject([{ count: 2_147_483_647 }])
    })

    it("are of another kind by each part of what they are", async () => {
      const id = await project()
      const one = aRefusedCall({ project_id: id })
      const others = [
        { caller: "developer" as const },
        { method: "GET" },
        { path: "/v1/client/streaks" },
        { status: 413 },
        { code: "OTHER" },
      ]
      await add([one, ...others.map((part) => ({ ...one, ...part, id: anId() }))])
      await add([{ ...one, id: anId() }])
      expect((await page(id)).rows.map(({ count }) => count).sort()).toEqual([1, 1, 1, 1, 1, 2])
    })

    it("are narrowed by code, by status and by the time of the latest", async () => {
      const id = await project()
      await add([
        aRefusedCall({ project_id: id, code: "A", status: 400, last_at: at(3) }),
        aRefusedCall({ project_id: id, code: "A", status: 404, last_at: at(2) }),
        aRefusedCall({ project_id: id, code: "B", status: 404, last_at: at(1) }),
      ])
      const names = async (query: Partial<RefusedQuery>) =>
        (await page(id, query)).rows.map(({ code, status }) => `${code} ${status}`)
      expect(await names({ code: "A" })).toEqual(["A 400", "A 404"])
      expect(await names({ status: 404 })).toEqual(["A 404", "B 404"])
      expect(await names({ code: "A", status: 404 })).toEqual(["A 404"])
      expect(await names({ since: at(2) })).toEqual(["A 400", "A 404"])
      expect(await page(id, { code: "a" })).toEqual({ rows: [], total: 0 })
    })

    it("go when they are old, and the oldest of each caller when there are too many", async () => {
      const id = await project()
      const rows = [1, 2, 3, 4].map((n) => aRefusedCall({ project_id: id, code: `C${n}`, last_at: at(n) }))
      const stranger = aRefusedCall({ project_id: id, caller: "unknown", last_at: at(1) })
      await add([...rows, stranger], { since: at(0), most: 3 })
      const codes = async () => (await page(id)).rows.map(({ caller, code }) => `${caller} ${code}`)
      expect(await codes()).toEqual(["app C4", "app C3", "app C2", "unknown INVALID_EVENT"])
      await add([aRefusedCall({ project_id: id, code: "C2", last_at: at(9) })], { since: at(3), most: 3 })
      expect((await page(id)).rows).toMatchObject([
        // What was too old is not counted on.
        { code: "C2", count: 1, first_at: at(0) },
        { code: "C4" },
        { code: "C3" },
      ])
    })

    it("are none of a project that is gone, and go with theirs", async () => {
      const [one, two] = [await project(), await project()]
      const rows = [one, anId(), two].map((project_id) => aRefusedCall({ project_id }))
      await add(rows)
      expect([(await page(one)).total, (await page(two)).total]).toEqual([1, 1])
      await db.transact((tx) => tx.projects.remove({ id: one }))
      expect(await page(one)).toEqual({ rows: [], total: 0 })
      await add([aRefusedCall({ project_id: one })])
      expect(await page(one)).toEqual({ rows: [], total: 0 })
      expect((await page(two)).total).toBe(1)
    })

    it("add up where several write the same at once", async () => {
      const ids = [await project(), await project()]
      const rowsOf = (order: ReadonlyArray<string>) => order.map((project_id) => aRefusedCall({ project_id }))
      await Promise.all([1, 2, 3, 4].map((n) => add(rowsOf(n % 2 === 0 ? ids : ids.toReversed()))))
      expect(await Promise.all(ids.map(async (id) => (await page(id)).rows.map(({ count }) => count)))).toEqual([
        [4],
        [4],
      ])
    })
  })
