import type { ControlDb } from "@hearth/core"
import type { DeveloperRow, ProjectRow } from "@hearth/core/projects"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aDeveloper, aMember, anApiKey, aProject } from "./builders.ts"

const day = (n: number) => new Date(Date.UTC(2026, 0, n))

/** What the control plane promises about projects, their members and their keys, beyond their tables. */
export const projectsContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) =>
  describe("projects", () => {
    let db: DatabaseUnderTest<ControlDb>
    beforeAll(async () => {
      db = await open()
    })

    const insert = (work: (tx: ControlDb) => Effect.Effect<void, unknown>) =>
      db.transact((tx) => Effect.orDie(work(tx)))
    const developer = async (given: Partial<DeveloperRow> = {}) => {
      const row = aDeveloper(given)
      await insert((tx) => tx.developers.insert(row))
      return row
    }
    const project = async (given: Partial<ProjectRow> = {}) => {
      const row = aProject(given)
      await insert((tx) => tx.projects.insert(row))
      return row
    }
    const member = async (
      project_id: string,
      developer_id: string,
      role: "owner" | "admin" | "viewer",
      created_at = day(1),
    ) => {
      const row = aMember({ project_id, developer_id, role, created_at })
      await insert((tx) => tx.members.insert(row))
      return row
    }

    it("lists the ready projects of a member, newest first", async () => {
      const [me, other] = [await developer(), await developer()]
      const days = [2, 4, 1, 3, 3]
      const mine: Array<ProjectRow> = []
      for (const n of days) mine.push(await project({ created_at: day(n) }))
      const hidden = await project({ created_at: day(5), is_ready: false })
      const foreign = await project({ created_at: day(6) })
      for (const { id } of [...mine, hidden]) await member(id, me.id, "viewer")
      await member(foreign.id, other.id, "owner")
      const page = (limit: number, offset: number) =>
        db.read((tx) => tx.projects.pageOfMember(me.id, { limit, offset }))
      const all = await page(10, 0)
      expect(all.total).toBe(5)
      expect(all.rows.map((row) => row.created_at)).toEqual([4, 3, 3, 2, 1].map(day))
      expect(all.rows).toContainEqual(mine[0])
      const pages = [await page(2, 0), await page(2, 2), await page(2, 4)]
      expect(pages.flatMap((one) => one.rows)).toEqual(all.rows)
      expect(await page(2, 5)).toEqual({ rows: [], total: 5 })
      expect(await db.read((tx) => tx.projects.pageOfMember(anId(), { limit: 2, offset: 0 }))).toEqual({
        rows: [],
        total: 0,
      })
    })

    it("lists the members of a project with email and name, the oldest membership first", async () => {
      const [mine, foreign] = [await project(), await project()]
      const people = [await developer({ created_at: day(9) }), await developer({ name: null }), await developer()]
      await member(mine.id, people[0]?.id ?? "", "owner", day(2))
      await member(mine.id, people[1]?.id ?? "", "viewer", day(3))
      await member(mine.id, people[2]?.id ?? "", "admin", day(1))
      await member(foreign.id, people[0]?.id ?? "", "viewer", day(1))
      const page = (limit: number, offset: number) =>
        db.read((tx) => tx.members.pageOfProject(mine.id, { limit, offset }))
      const seen = (at: number, role: string, n: number) => {
        const { id, email, name } = people[at] as DeveloperRow
        return { developer_id: id, email, name, role, created_at: day(n) }
      }
      const expected = [seen(2, "admin", 1), seen(0, "owner", 2), seen(1, "viewer", 3)]
      expect(await page(10, 0)).toStrictEqual({ rows: expected, total: 3 })
      expect(await page(1, 1)).toStrictEqual({ rows: [expected[1]], total: 3 })
      expect(await page(1, 3)).toStrictEqual({ rows: [], total: 3 })
    })

    it("answers the role of a member in a ready project, and no other", async () => {
      const [me, ready, hidden] = [await developer(), await project(), await project({ is_ready: false })]
      await member(ready.id, me.id, "admin")
      await member(hidden.id, me.id, "owner")
      const role = (projectId: string, developerId = me.id) =>
        db.read((tx) => tx.members.roleOf(projectId, developerId))
      expect(await role(ready.id)).toBe("admin")
      expect(await role(hidden.id)).toBeNull()
      expect(await role(anId())).toBeNull()
      expect(await role(ready.id, (await developer()).id)).toBeNull()
      await db.transact((tx) => tx.projects.update(hidden.id, { is_ready: true }))
      expect(await role(hidden.id)).toBe("owner")
    })

    it("answers the ready project of a key, and no other", async () => {
      const [ready, hidden] = [await project(), await project({ is_ready: false })]
      const [key, hiddenKey] = [anApiKey({ project_id: ready.id }), anApiKey({ project_id: hidden.id })]
      await insert((tx) => Effect.andThen(tx.apiKeys.insert(key), tx.apiKeys.insert(hiddenKey)))
      const projectOf = (text: string) => db.read((tx) => tx.apiKeys.projectOf(text))
      expect(await projectOf(key.key)).toBe(ready.id)
      expect(await projectOf(hiddenKey.key)).toBeNull()
      expect(await projectOf(key.key.slice(0, -1))).toBeNull()
      expect(await projectOf("")).toBeNull()
      await db.transact((tx) => tx.apiKeys.remove({ id: key.id }))
      expect(await projectOf(key.key)).toBeNull()
    })

    it("locks the owners of a project and those who are named", async () => {
      const mine = await project()
      const foreign = await project()
      const [one, other, admin] = [await developer(), await developer(), await developer()]
      const [viewer, stranger] = [await developer(), await developer()]
      const roles = (...named: ReadonlyArray<string>) => db.transact((tx) => tx.members.lockRoles(mine.id, named))
      expect(await roles(one.id)).toEqual(new Map())
      await member(mine.id, one.id, "owner")
      await member(mine.id, other.id, "owner")
      await member(mine.id, admin.id, "admin")
      await member(mine.id, viewer.id, "viewer")
      await member(foreign.id, stranger.id, "owner")
      const owners = [
        [one.id, "owner"],
        [other.id, "owner"],
      ] as const
      expect(await roles()).toEqual(new Map(owners))
      expect(await roles(viewer.id, one.id, stranger.id)).toEqual(new Map([...owners, [viewer.id, "viewer"]]))
      await db.transact((tx) => Effect.orDie(tx.projects.update(mine.id, { is_ready: false })))
      expect(await roles(one.id)).toEqual(new Map())
    })

    it.each([false, true])(
      "answers a role that stays until the transaction ends, for removal: %s",
      async (forRemoval) => {
        const [me, ready, hidden] = [await developer(), await project(), await project({ is_ready: false })]
        const row = await member(ready.id, me.id, "admin")
        await member(hidden.id, me.id, "owner")
        const role = (projectId: string, developerId = me.id) =>
          db.transact((tx) => tx.members.lockRole(projectId, developerId, { forRemoval }))
        expect(await role(ready.id)).toBe("admin")
        expect([await role(hidden.id), await role(anId()), await role(ready.id, anId())]).toEqual([null, null, null])
        // Whoever changes the role meanwhile waits: what was read is still true at the end.
        const [read] = await Promise.all([
          db.transact((tx) =>
            Effect.gen(function* () {
              const first = yield* tx.members.lockRole(ready.id, me.id, { forRemoval })
              yield* Effect.sleep("50 millis")
              return [first, yield* tx.members.roleOf(ready.id, me.id)]
            }),
          ),
          db.transact((tx) =>
            Effect.andThen(Effect.sleep("10 millis"), Effect.orDie(tx.members.update(row.id, { role: "viewer" }))),
          ),
        ])
        expect(new Set(read).size).toBe(1)
        expect(await role(ready.id)).toBe("viewer")
      },
    )

    it("keeps one owner when all of them leave at the same time", async () => {
      const mine = await project()
      const owners = [await developer(), await developer(), await developer()]
      const rows = []
      for (const { id } of owners) rows.push(await member(mine.id, id, "owner"))
      const left = await Promise.all(
        rows.map((row, turn) =>
          db.transact((tx) =>
            Effect.gen(function* () {
              const roles = yield* tx.members.lockRoles(mine.id, [row.developer_id])
              if ([...roles.values()].filter((role) => role === "owner").length <= 1) return false
              if (turn % 2 === 0) yield* tx.members.remove({ id: row.id })
              else yield* tx.members.update(row.id, { role: "admin" })
              return true
            }),
          ),
        ),
      )
      expect(left.filter(Boolean)).toHaveLength(2)
      expect((await db.transact((tx) => tx.members.lockRoles(mine.id, []))).size).toBe(1)
    })

    it("removes members and keys with their project, and memberships with their developer", async () => {
      const [me, you, gone, kept] = [await developer(), await developer(), await project(), await project()]
      const rows = [
        await member(gone.id, me.id, "owner"),
        await member(kept.id, me.id, "owner"),
        await member(kept.id, you.id, "viewer"),
      ]
      const keys = [anApiKey({ project_id: gone.id }), anApiKey({ project_id: kept.id })]
      for (const key of keys) await insert((tx) => tx.apiKeys.insert(key))
      const there = (tx: ControlDb) =>
        Effect.gen(function* () {
          const held = yield* Effect.forEach(rows, ({ id }) => tx.members.find({ id }))
          const known = yield* Effect.forEach(keys, ({ id }) => tx.apiKeys.find({ id }))
          return { members: held.map(Option.isSome), keys: known.map(Option.isSome) }
        })
      expect(await db.transact((tx) => tx.projects.remove({ id: gone.id }))).toBe(1)
      expect(await db.read(there)).toEqual({ members: [false, true, true], keys: [false, true] })
      expect(await db.transact((tx) => tx.developers.remove({ id: you.id }))).toBe(1)
      expect(await db.read(there)).toEqual({ members: [false, true, false], keys: [false, true] })
      expect(await db.read((tx) => tx.projects.find({ id: kept.id }))).toStrictEqual(Option.some(kept))
      expect(await db.read((tx) => tx.developers.find({ id: me.id }))).toStrictEqual(Option.some(me))
    })

    it("refuses members and keys without their project or developer", async () => {
      const [me, mine] = [await developer(), await project()]
      const attempts: ReadonlyArray<(tx: ControlDb) => Effect.Effect<void, unknown>> = [
        (tx) => tx.members.insert(aMember({ project_id: mine.id, developer_id: anId() })),
        (tx) => tx.members.insert(aMember({ project_id: anId(), developer_id: me.id })),
        (tx) => tx.apiKeys.insert(anApiKey({ project_id: anId() })),
      ]
      for (const attempt of attempts) expect(died(await db.attempt(attempt))).toBe(true)
    })
  })
