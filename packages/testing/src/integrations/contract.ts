import { type ControlDb, Duplicate } from "@hearth/core"
import type { IntegrationRow } from "@hearth/core/integrations"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, type Given } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText, instantsInOrder, textsInOrder } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, failureOf } from "../contracts/database-under-test.ts"
import { type TableCase, tableContract } from "../contracts/table.contract.ts"
import { aProject } from "../projects/builders.ts"
import { anIntegration } from "./builders.ts"

const writeProject = (db: Pick<ControlDb, "projects">, is_ready = true) => {
  const project = aProject({ is_ready })
  return Effect.as(Effect.orDie(db.projects.insert(project)), project.id)
}

const table: TableCase<ControlDb, IntegrationRow> = {
  name: "integrations",
  table: (db) => db.integrations,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return anIntegration({ ...given, project_id: given.project_id ?? (yield* writeProject(db)) })
  }),
  samples: [
    { config: awkwardJson, sealed: awkwardText, sealed_with: awkwardText, updated_at: awkwardInstant, version: 0 },
    { provider: "push_b", is_active: false, config: {}, sealed: null, sealed_with: null, version: 2_147_483_647 },
  ],
  // The suite would put long text into the provider.
  unique: [],
  sorting: { column: "updated_at", ascending: instantsInOrder },
  nullable: { column: "sealed_with", ascending: textsInOrder },
}

/** The table of integrations. */
export const integrationsTable = (open: () => Promise<DatabaseUnderTest<ControlDb>>) => tableContract(open, table)

/** What the control database promises about integrations, beyond their table. */
export const integrationsContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) =>
  describe("integrations", () => {
    let db: DatabaseUnderTest<ControlDb>
    beforeAll(async () => {
      db = await open()
    })

    const project = (isReady = true) => db.transact((tx) => writeProject(tx, isReady))
    const add = async (given: Given<IntegrationRow, "project_id">) => {
      const row = anIntegration(given)
      await db.transact((tx) => Effect.orDie(tx.integrations.insert(row)))
      return row
    }
    const active = async (projectId: string, provider: IntegrationRow["provider"] = "paywall") =>
      Option.getOrNull(await db.read((tx) => tx.integrations.findActive(projectId, provider)))

    it("are one per project and provider, and go with their project", async () => {
      const [one, two] = [await project(), await project()]
      await add({ project_id: one, provider: "paywall" })
      await add({ project_id: one, provider: "push_a" })
      const other = await add({ project_id: two, provider: "paywall" })
      const again = anIntegration({ project_id: one, provider: "paywall" })
      expect(failureOf(await db.attempt((tx) => tx.integrations.insert(again)))).toEqual(
        new Duplicate({ key: ["project_id", "provider"] }),
      )
      await db.transact((tx) => tx.projects.remove({ id: one }))
      expect(await db.read((tx) => tx.integrations.list({ project_id: one }, []))).toEqual([])
      expect(await active(two)).toEqual(other)
    })

    it("are found where they are active, in a project that is ready", async () => {
      const [ready, hidden] = [await project(), await project(false)]
      const found = await add({
        project_id: ready,
        provider: "paywall",
        config: { a: 1 },
        sealed: "x",
        sealed_with: "k",
      })
      await add({ project_id: ready, provider: "push_a", is_active: false })
      await add({ project_id: hidden, provider: "paywall" })
      expect(await active(ready)).toStrictEqual(found)
      expect(await active(ready, "push_a")).toBeNull()
      expect(await active(ready, "push_b")).toBeNull()
      expect(await active(hidden)).toBeNull()
      expect(await active(anId())).toBeNull()
    })

    describe("and the keys that they are sealed with", () => {
      const sealed = (project_id: string, provider: IntegrationRow["provider"], sealed_with: string) =>
        add({ project_id, provider, sealed: `of ${sealed_with}`, sealed_with })

      it("are counted by fingerprint", async () => {
        await db.transact((tx) => tx.projects.remove({}))
        const [one, two] = [await project(), await project(false)]
        await sealed(one, "paywall", "b")
        await sealed(one, "subscription", "b")
        await sealed(two, "paywall", "b")
        await sealed(two, "push_a", "a")
        await add({ project_id: two, provider: "push_b" })
        expect(await db.read((tx) => tx.integrations.countKeys())).toStrictEqual([
          { fingerprint: "a", integrations: 1, projects: 1 },
          { fingerprint: "b", integrations: 3, projects: 2 },
        ])
      })

      it("are changed by key, and nothing else of them", async () => {
        await db.transact((tx) => tx.projects.remove({}))
        const id = await project()
        const rows = [
          await sealed(id, "paywall", "old"),
          await sealed(id, "push_a", "older"),
          await sealed(id, "push_b", "old"),
        ] as const
        const kept = await sealed(id, "subscription", "new")
        const lock = (keys: ReadonlyArray<string>, limit: number, after: string | null = null) =>
          db.transact((tx) => tx.integrations.lockSealedWith(keys, after, limit))
        expect(await lock(["old", "older"], 10)).toStrictEqual(rows)
        expect(await lock(["old", "older"], 2)).toStrictEqual(rows.slice(0, 2))
        expect(await lock(["old", "older"], 10, rows[0].id)).toStrictEqual(rows.slice(1))
        expect(await lock(["old"], 10)).toStrictEqual([rows[0], rows[2]])
        expect(await lock([], 10)).toEqual([])
        const again = rows.slice(0, 2).map((row) => ({ id: row.id, sealed: `again ${row.id}`, sealed_with: "new" }))
        await db.transact((tx) => tx.integrations.reseal([...again, { id: anId(), sealed: "x", sealed_with: "new" }]))
        const all = await db.read((tx) => tx.integrations.list({ project_id: id }, []))
        expect(all).toStrictEqual([{ ...rows[0], ...again[0] }, { ...rows[1], ...again[1] }, rows[2], kept])
      })

      it("are left to whoever has locked them", async () => {
        await db.transact((tx) => tx.projects.remove({}))
        const id = await project()
        const [mine, other] = [await sealed(id, "paywall", "old"), await sealed(id, "push_a", "old")]
        const seen = await db.transact((tx) =>
          Effect.gen(function* () {
            yield* tx.integrations.lock(mine.id)
            return yield* Effect.promise(() =>
              db.transact((inner) => inner.integrations.lockSealedWith(["old"], null, 10)),
            )
          }),
        )
        expect(seen).toStrictEqual([other])
      })
    })
  })
