import type { TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting, mostAtOnce } from "../contracts/interleaving.harness.ts"
import { writeUser } from "../users/tables.ts"

/** What a project promises about purses, and about the lock under which currencies are made. */
export const pursesContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("purses [G0.5]", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    it("are those of the users who exist, each once", async () => {
      const [one, two] = [await db.transact(writeUser), await db.transact(writeUser)]
      const lock = (...ids: ReadonlyArray<string>) => db.transact((tx) => tx.purses.lockMany(ids))
      expect(await lock()).toEqual(new Set())
      expect(await lock(two, anId(), one, two)).toEqual(new Set([one, two]))
      expect(await lock(one)).toEqual(new Set([one]))
      await db.transact((tx) => tx.users.remove({ id: one }))
      expect(await lock(one, two)).toEqual(new Set([two]))
    })

    it("are one transaction's at a time, also on their first use", async () => {
      const owner = await db.transact(writeUser)
      expect(await mostAtOnce(db, 12, (tx) => tx.purses.lockMany([owner]))).toBe(1)
    })

    it("are locked in one order: those who want the same ones never wait for each other", async () => {
      for (let round = 0; round < 5; round += 1) {
        const owners = [await db.transact(writeUser), await db.transact(writeUser), await db.transact(writeUser)]
        const shared = owners[1] as string
        const most = await mostAtOnce(db, 9, (tx, turn) =>
          tx.purses.lockMany([owners[turn % 3] as string, shared, owners[(turn + 2) % 3] as string]),
        )
        expect(most).toBe(1)
      }
    })

    it("keep nobody else's waiting", async () => {
      const [one, two] = [await db.transact(writeUser), await db.transact(writeUser)]
      const first = beginOn(db)
      await first.step((tx) => tx.purses.lockMany([one]))
      expect(
        await isWaiting(
          db.transact((tx) => tx.purses.lockMany([two])),
          false,
        ),
      ).toBe(false)
      await first.commit()
    })

    it("do not keep users from being seen", async () => {
      const owner = await db.transact(writeUser)
      await db.transact((tx) =>
        Effect.andThen(
          tx.purses.lockMany([owner]),
          Effect.promise(() => db.transact((other) => other.users.seen([{ id: owner, at: new Date() }]))),
        ),
      )
    })

    it("are not needed to make currencies, which is done one at a time", async () => {
      expect(await mostAtOnce(db, 6, (tx) => tx.currencies.lockCreation())).toBe(1)
    })
  })
