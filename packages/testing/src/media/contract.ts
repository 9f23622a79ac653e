import type { ControlDb, TenantDb } from "@hearth/core"
import type { MediaAssetRow } from "@hearth/core/media"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aMediaAsset, aMediaFolder, assets, assetsSection, folders, projectFiles } from "./tables.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

/** The tables of media. */
export const mediaTables = [
  (open: Open) => tableContract(open, assets),
  (open: Open) => tableContract(open, folders),
  assetsSection,
]

const at = (minutes: number) => new Date(builtAt.getTime() + minutes * 60_000)
const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

/** What a project promises about its files and folders, beyond the tables. */
export const mediaContract = (open: Open) =>
  describe("media", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const insert = async (given: Partial<MediaAssetRow> = {}) => {
      const row = aMediaAsset(given)
      await db.transact((tx) => tx.mediaAssets.insert(row))
      return row
    }
    const insertFolder = async (parent_id: string | null = null) => {
      const row = aMediaFolder({ parent_id })
      await db.transact((tx) => tx.mediaFolders.insert(row))
      return row.id
    }
    const find = (id: string) => db.read((tx) => Effect.map(tx.mediaAssets.find({ id }), Option.getOrNull))

    it("lists files of a folder and of a user, the newest first", async () => {
      const [folder_id, app_user_id] = [await insertFolder(), await db.transact(writeUser)]
      const old = await insert({ folder_id, created_at: at(1) })
      const young = await insert({ folder_id, app_user_id, created_at: at(2) })
      const page = (filter: object, limit = 10, offset = 0) =>
        db.read((tx) => tx.mediaAssets.pageMatching(filter, { limit, offset }))
      expect(await page({ folder_id })).toStrictEqual({ rows: [young, old], total: 2 })
      expect(await page({ folder_id }, 1, 1)).toStrictEqual({ rows: [old], total: 2 })
      expect(await page({ folder_id }, 1, 2)).toStrictEqual({ rows: [], total: 2 })
      expect(await page({ app_user_id })).toStrictEqual({ rows: [young], total: 1 })
      expect(await page({ folder_id: anId() })).toStrictEqual({ rows: [], total: 0 })
      expect((await page({})).total).toBeGreaterThan(1)
    })

    it("never takes a name in a filter for a part of a statement", async () => {
      const app_user_id = await db.transact(writeUser)
      await insert({ app_user_id })
      for (const name of ["pg_sleep(9) is null or id", "to", "id"]) {
        const page = db.read((tx) =>
          tx.mediaAssets.pageMatching({ app_user_id, [name]: anId() }, { limit: 10, offset: 0 }),
        )
        expect((await page).total).toBe(1)
      }
    })

    it("sums up what a user has, the pending files included [I0.2]", async () => {
      const app_user_id = await db.transact(writeUser)
      const sum = () => db.read((tx) => tx.mediaAssets.sumOf(app_user_id))
      expect(await sum()).toEqual({ assets: 0, bytes: 0 })
      await insert({ app_user_id, size_bytes: 2 ** 40 })
      await insert({ app_user_id, size_bytes: 2, status: "pending" })
      await insert({ app_user_id, size_bytes: null, status: "pending" })
      await insert()
      expect(await sum()).toEqual({ assets: 3, bytes: 2 ** 40 + 2 })
    })

    it("finds a millisecond that no file has, and none that is to be removed [I7.2]", async () => {
      const project = anId()
      const free = (millis: number, name = "a_%b.png") =>
        db.read((tx) => tx.mediaAssets.freeMillis(project, millis, name))
      expect(await free(1_700_000_000_000)).toBe(1_700_000_000_000)
      await insert({ path: `${project}/1700000000000_a_%b.png` })
      await insert({ path: `${project}/1700000000002_a_%b.png` })
      const removal = { id: anId(), path: `${project}/1700000000001_a_%b.png`, due_at: at(0) }
      await db.transact((tx) => tx.mediaRemovals.insertAll([removal]))
      expect(await free(1_700_000_000_000)).toBe(1_700_000_000_003)
      expect(await free(1_700_000_000_000, "aXYb.png")).toBe(1_700_000_000_000)
    })

    it("tells which pending files are due, and writes what became of them", async () => {
      await db.transact((tx) => tx.mediaAssets.remove({}))
      expect(await db.read((tx) => tx.mediaAssets.nextCheckAt())).toBeNull()
      const [later, sooner] = [
        await insert({ status: "pending", check_at: at(20), size_bytes: null }),
        await insert({ status: "pending", check_at: at(10) }),
      ]
      await insert()
      expect(await db.read((tx) => tx.mediaAssets.nextCheckAt())).toEqual(at(10))
      const due = (minutes: number, limit: number) => db.read((tx) => tx.mediaAssets.due(at(minutes), limit))
      expect(await due(9, 10)).toEqual([])
      expect(await due(20, 10)).toStrictEqual([sooner, later])
      expect(idsOf(await due(20, 1))).toEqual([sooner.id])
      const uploaded = { ...later, status: "uploaded", size_bytes: 2 ** 33, check_at: null } as const
      await db.transact((tx) => tx.mediaAssets.saveChecked([{ ...uploaded, filename: "never" }]))
      await db.transact((tx) => tx.mediaAssets.saveChecked([]))
      expect(await find(later.id)).toStrictEqual(uploaded)
      await db.transact((tx) => tx.mediaAssets.removeAll([sooner.id, anId()]))
      expect(await find(sooner.id)).toBeNull()
      expect(await due(30, 10)).toEqual([])
    })

    it("locks files by their ids, and those of a user by theirs", async () => {
      const app_user_id = await db.transact(writeUser)
      const rows = [await insert({ app_user_id }), await insert({ app_user_id }), await insert({ app_user_id })]
      const ids = idsOf(rows)
      const all = (some: ReadonlyArray<string>) => db.transact((tx) => tx.mediaAssets.lockAll(some))
      expect(idsOf(await all([...ids.toReversed(), anId()]))).toEqual(ids)
      expect(await all([])).toEqual([])
      const own = (limit: number) => db.transact((tx) => tx.mediaAssets.lockOf(app_user_id, limit))
      expect(idsOf(await own(2))).toEqual(ids.slice(0, 2))
      const holder = beginOn(db)
      await holder.step((tx) => tx.mediaAssets.lock(ids[0] ?? "", "no key update"))
      const [waiting, other] = [own(3), all(ids.slice(1))]
      expect(await isWaiting(waiting)).toBe(true)
      expect(await isWaiting(other, false)).toBe(false)
      await holder.commit()
      expect(idsOf(await waiting)).toEqual(ids)
    })

    it("moves what is in a folder, and keeps files whose folder is gone [I7.3]", async () => {
      const [upper, folder] = [await insertFolder(), await insertFolder()]
      const [inner, file] = [await insertFolder(folder), await insert({ folder_id: folder })]
      await db.transact((tx) =>
        Effect.all([tx.mediaFolders.move(folder, upper), tx.mediaAssets.move(folder, upper)], { discard: true }),
      )
      const parent = (id: string) =>
        db.read((tx) => Effect.map(tx.mediaFolders.find({ id }), (found) => Option.getOrThrow(found).parent_id))
      expect([await parent(inner), (await find(file.id))?.folder_id]).toEqual([upper, upper])
      await db.transact((tx) => tx.mediaFolders.move(upper, null))
      expect(await parent(inner)).toBeNull()
      await db.transact((tx) => tx.mediaFolders.remove({ id: upper }))
      expect((await find(file.id))?.folder_id).toBeNull()
    })

    it("adds up what all files have, of many at once each", async () => {
      const before = await db.transact((tx) => tx.mediaUsage.lock())
      await Promise.all(Array.from({ length: 10 }, () => db.transact((tx) => tx.mediaUsage.add(2 ** 33))))
      await db.transact((tx) => tx.mediaUsage.add(-1))
      expect(await db.transact((tx) => tx.mediaUsage.lock())).toBe(before + 10 * 2 ** 33 - 1)
      const holder = beginOn(db)
      await holder.step((tx) => tx.mediaUsage.lock())
      const other = db.transact((tx) => tx.mediaUsage.lock())
      expect(await isWaiting(other)).toBe(true)
      await holder.commit()
      await other
    })

    it("keeps what is to be removed until it is, the longest due first", async () => {
      await db.transact((tx) =>
        Effect.flatMap(tx.mediaRemovals.due(at(9_999), 100), (all) => tx.mediaRemovals.removeAll(idsOf(all))),
      )
      expect(await db.read((tx) => tx.mediaRemovals.nextDueAt())).toBeNull()
      const [second, first] = [
        { id: anId(), path: "a/2", due_at: at(2) },
        { id: anId(), path: "a/1", due_at: at(1) },
      ]
      await db.transact((tx) => tx.mediaRemovals.insertAll([second, first]))
      await db.transact((tx) => tx.mediaRemovals.insertAll([]))
      const due = (minutes: number, limit = 10) => db.read((tx) => tx.mediaRemovals.due(at(minutes), limit))
      expect(await db.read((tx) => tx.mediaRemovals.nextDueAt())).toEqual(at(1))
      expect([await due(0), await due(1), await due(2), await due(2, 1)]).toStrictEqual([
        ...[[], [first], [first, second], [first]],
      ])
      await db.transact((tx) => tx.mediaRemovals.postpone([first.id, anId()], at(3)))
      await db.transact((tx) => tx.mediaRemovals.postpone([], at(9)))
      expect([await due(2), await due(3)]).toStrictEqual([[second], [second, { ...first, due_at: at(3) }]])
      await db.transact((tx) => tx.mediaRemovals.removeAll([first.id]))
      expect(await due(3)).toStrictEqual([second])
    })

    it("goes with its user", async () => {
      const app_user_id = await db.transact(writeUser)
      const { id } = await insert({ app_user_id })
      await db.transact((tx) => tx.users.remove({ id: app_user_id }))
      expect(await find(id)).toBeNull()
    })
  })

/** What the control database promises about the files of projects that are gone. */
export const projectFilesContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) => {
  tableContract(open, projectFiles)
  describe("files of projects that are gone", () => {
    it("are due at their time, the longest due first", async () => {
      const db = await open()
      await db.transact((tx) => tx.projectFiles.remove({}))
      const [second, first] = [
        { id: anId(), due_at: at(2), last_at: at(9) },
        { id: anId(), due_at: at(1), last_at: at(9) },
      ]
      for (const row of [second, first]) await db.transact((tx) => tx.projectFiles.insert(row))
      const due = (minutes: number, limit = 10) => db.read((tx) => tx.projectFiles.due(at(minutes), limit))
      expect([await due(0), await due(2), await due(2, 1)]).toStrictEqual([[], [first, second], [first]])
    })
  })
}
