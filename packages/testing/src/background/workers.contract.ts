import type { ControlDb, TenantDb } from "@hearth/core"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardText } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"

/** What a project promises about the reactions that it was given. */
export const introducedReactionsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("introduced reactions", () => {
    it("are kept once by name, until they are removed", async () => {
      const db = await open()
      const names = () => db.read((tx) => tx.introducedReactions.names())
      for (const name of ["b", "a", awkwardText, "a"]) await db.read((tx) => tx.introducedReactions.add(name))
      expect([...(await names())].sort()).toEqual([awkwardText, "a", "b"].sort())
      for (const name of ["b", "c", awkwardText]) await db.read((tx) => tx.introducedReactions.remove(name))
      expect(await names()).toEqual(["a"])
    })
  })

/** What the control plane promises about the workers of the installation. */
export const workersContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) =>
  describe("workers", () => {
    let db: DatabaseUnderTest<ControlDb>
    beforeAll(async () => {
      db = await open()
    })
    const day = Date.UTC(2100, 0, 1)
    const at = (seconds: number) => new Date(day + seconds * 1_000)
    /** Two workers, of which each learns of the other when it tells that it is there. */
    const someWorkers = () => {
      const ids = [anId(), anId()] as const
      const beat = async (id: string, seconds: number, since: number, reactions: ReadonlyArray<string> = ["a"]) => {
        const seen = await db.read((tx) => tx.workers.beat({ id, reactions, seen_at: at(seconds) }, at(since)))
        return seen.filter((other) => ids.includes(other.id))
      }
      return [...ids, beat] as const
    }

    it("know each other, as they were last seen", async () => {
      const [one, two, beat] = someWorkers()
      expect(await beat(one, 0, 0, ["b", "a"])).toEqual([])
      expect(await beat(two, 1, 0, [])).toEqual([{ id: one, reactions: ["b", "a"], seen_at: at(0) }])
      expect(await beat(one, 2, 0)).toEqual([{ id: two, reactions: [], seen_at: at(1) }])
      expect(await beat(two, 3, 0)).toEqual([{ id: one, reactions: ["a"], seen_at: at(2) }])
    })

    it("are forgotten when they were not seen for a while", async () => {
      const [one, two, beat] = someWorkers()
      await beat(one, 100, 100)
      expect((await beat(two, 200, 100)).map(({ id }) => id)).toEqual([one])
      expect(await beat(two, 201, 101)).toEqual([])
      expect(await beat(two, 202, 0)).toEqual([])
    })
  })
