import type { TenantDb } from "@hearth/core"
import type { Entitlement } from "@hearth/core/entitlements"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { textsInOrder } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { anEntitlement } from "./builders.ts"

/** What a project promises about the entitlements of its users, beyond their table. */
export const entitlementsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("entitlements of users", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = async (...given: ReadonlyArray<Partial<Entitlement>>) => {
      const row = aUser()
      const entitlements = given.map((one) => anEntitlement({ app_user_id: row.id, ...one }))
      await db.transact((tx) =>
        Effect.orDie(
          Effect.andThen(
            tx.users.insert(row),
            Effect.forEach(entitlements, (one) => tx.entitlements.insert(one), { discard: true }),
          ),
        ),
      )
      return { id: row.id, entitlements }
    }
    const ofUsers = (...ids: ReadonlyArray<string>) => db.read((tx) => tx.entitlements.ofUsers(ids))
    const summaryOf = ({ id, entitlement_id, is_active, expiration_date }: Entitlement) => ({
      id,
      entitlement_id,
      is_active,
      expiration_date,
    })

    it("are answered as summaries by user, for the given users", async () => {
      const expiration_date = new Date("2026-09-01T00:00:00.001Z")
      const [ada, bob, none] = [
        await user({ expiration_date, raw_data: { secret: true } }, { is_active: false }),
        await user({}),
        await user(),
      ]
      await user({})
      expect(await ofUsers(bob.id, ada.id.toUpperCase(), none.id, anId(), bob.id)).toStrictEqual(
        new Map([
          [ada.id, ada.entitlements.map(summaryOf)],
          [bob.id, bob.entitlements.map(summaryOf)],
        ]),
      )
      expect(await ofUsers()).toEqual(new Map())
    })

    it("are sorted by name", async () => {
      const names = textsInOrder.filter((name) => name !== "")
      const { id } = await user(...names.toReversed().map((entitlement_id) => ({ entitlement_id })))
      expect((await ofUsers(id)).get(id)?.map(({ entitlement_id }) => entitlement_id)).toEqual(names)
    })

    it("dies of an invalid id", async () => {
      expect(died(await db.attemptRead((tx) => tx.entitlements.ofUsers(["17"])))).toBe(true)
    })
  })
