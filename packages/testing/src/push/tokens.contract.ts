import type { TenantDb } from "@hearth/core"
import type { PushToken } from "@hearth/core/push"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardText, incompressibleText } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"
import { aPushToken } from "./builders.ts"

const minute = (n: number) => new Date(Date.UTC(2026, 2, 1, 12, n))

/** What a project promises about devices. */
export const pushTokensContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("devices", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = () => db.transact(writeUser)
    const register = (device: PushToken, keep = 20) =>
      db.transact((tx) =>
        Effect.gen(function* () {
          yield* tx.users.lock(device.app_user_id)
          yield* tx.pushTokens.lockForUser(device.app_user_id, device.token)
          const row = yield* tx.pushTokens.register(device)
          yield* tx.pushTokens.limitActive(row, keep, minute(59), "too_many")
          return row
        }),
      )
    const listOf = (app_user_id: string) =>
      db.read((tx) => tx.pushTokens.list({ app_user_id }, [["registered_at", "asc"]]))
    const latest = async (id: string) => Option.getOrNull(await db.read((tx) => tx.pushTokens.latestActive(id)))

    it.for([["plain"], [awkwardText], ["\\x41 \\ \\\\ \\101 '"], [`${incompressibleText(4_096)}`]])(
      "are registered, and again as the same one, whatever the token is: %#",
      async ([token = ""]) => {
        const [first, second] = [await user(), await user()]
        const device = aPushToken({ app_user_id: first, token: `${token}${anId()}`.slice(-4_096) })
        expect(await register(device)).toStrictEqual(device)
        const gone = { is_active: false, deactivated_at: minute(1), deactivated_reason: "Unregistered" }
        await db.transact((tx) => Effect.orDie(tx.pushTokens.update(device.id, gone)))
        const again = aPushToken({
          ...{ app_user_id: second, token: device.token, platform: "web", provider: "push_b" },
          ...{ created_at: minute(2), registered_at: minute(2) },
        })
        expect(await register(again)).toStrictEqual({ ...again, id: device.id, created_at: device.created_at })
        expect([await listOf(first), (await listOf(second)).length]).toEqual([[], 1])
      },
    )

    it("are told apart by every character of their token", async () => {
      const app_user_id = await user()
      const base = incompressibleText(3_000) + anId()
      for (const token of [base, `${base} `, base.toUpperCase(), `\\${base}`, `\\\\${base}`])
        await register(aPushToken({ app_user_id, token }))
      expect(await listOf(app_user_id)).toHaveLength(5)
    })

    it("belong to one user where several register one at once", async () => {
      const token = `shared ${anId()}`
      const users = await Promise.all(Array.from({ length: 6 }, user))
      const rows = await Promise.all(users.map((app_user_id) => register(aPushToken({ app_user_id, token }))))
      expect(new Set(rows.map(({ id }) => id)).size).toBe(1)
      const found = await db.read((tx) => tx.pushTokens.list({ token }, []))
      expect(found).toHaveLength(1)
      expect(users).toContain(found[0]?.app_user_id)
    })

    it("change hands between two users at once, many times, and nobody waits for ever", async () => {
      const users = [await user(), await user()]
      const tokens = [1, 2, 3, 4].map((n) => `swapped ${n} ${anId()}`)
      const calls = Array.from({ length: 24 }, (_, turn) =>
        register(aPushToken({ app_user_id: users[turn % 2] ?? "", token: tokens[(turn >> 1) % 4] ?? "" }), 2),
      )
      await Promise.all(calls)
      const all = (await Promise.all(users.map(listOf))).flat()
      expect(all).toHaveLength(4)
      for (const id of users)
        expect(all.filter((one) => one.app_user_id === id && one.is_active).length).toBeLessThanOrEqual(2)
    })

    it("become inactive, those registered longest ago first, until so many are left [H4.1]", async () => {
      const [app_user_id, other] = [await user(), await user()]
      const device = (registered: number, created = 0) =>
        aPushToken({ app_user_id, registered_at: minute(registered), created_at: minute(created) })
      const [a, b, c] = [device(3, 9), device(1, 10), device(2, 8)]
      const theirs = aPushToken({ app_user_id: other, registered_at: minute(0) })
      const inactive = { ...device(0), is_active: false, deactivated_at: minute(5), deactivated_reason: "Unregistered" }
      await db.transact((tx) =>
        Effect.orDie(Effect.forEach([a, b, c, theirs, inactive], (row) => tx.pushTokens.insert(row))),
      )
      expect(await latest(app_user_id)).toStrictEqual(a)
      const next = device(4)
      await register(next, 2)
      const surplus = { is_active: false, deactivated_at: minute(59), deactivated_reason: "too_many" }
      expect(await listOf(app_user_id)).toStrictEqual([inactive, { ...b, ...surplus }, { ...c, ...surplus }, a, next])
      expect([await listOf(other), await latest(app_user_id)]).toStrictEqual([[theirs], next])
      expect(await latest(anId())).toBeNull()
      await db.transact((tx) => Effect.orDie(tx.pushTokens.update(next.id, surplus)))
      expect(await latest(app_user_id)).toStrictEqual(a)
    })

    it("become inactive in the order of their ids where they were registered at once [H4.1]", async () => {
      const app_user_id = await user()
      const ids = Array.from({ length: 4 }, anId).toSorted()
      for (const at of [2, 0, 3, 1]) {
        const row = aPushToken({ id: ids[at] as string, app_user_id, registered_at: minute(0) })
        await db.transact((tx) => Effect.orDie(tx.pushTokens.insert(row)))
      }
      const last = aPushToken({ app_user_id, registered_at: minute(1) })
      await register(last, 2)
      const active = (await listOf(app_user_id)).filter(({ is_active }) => is_active).map(({ id }) => id)
      expect(active).toEqual([ids[3], last.id])
    })

    it("become inactive all at once, those of one user", async () => {
      const [app_user_id, other] = [await user(), await user()]
      const [first, second] = [aPushToken({ app_user_id }), aPushToken({ app_user_id, registered_at: minute(1) })]
      const gone = { is_active: false, deactivated_at: minute(5), deactivated_reason: "Unregistered" }
      const before = aPushToken({ app_user_id, registered_at: minute(2), ...gone })
      const theirs = aPushToken({ app_user_id: other })
      await db.transact((tx) =>
        Effect.orDie(Effect.forEach([first, second, before, theirs], (row) => tx.pushTokens.insert(row))),
      )
      await db.transact((tx) => tx.pushTokens.deactivateAll(app_user_id, minute(9), "EMAIL_PROVEN"))
      const ended = { is_active: false, deactivated_at: minute(9), deactivated_reason: "EMAIL_PROVEN" }
      expect(await listOf(app_user_id)).toStrictEqual([{ ...first, ...ended }, { ...second, ...ended }, before])
      expect(await listOf(other)).toStrictEqual([theirs])
    })

    it("stay active when they were registered just now, though others have the same time", async () => {
      const app_user_id = await user()
      const [first, second] = [aPushToken({ app_user_id }), aPushToken({ app_user_id })]
      await register(first)
      await register(second)
      await register({ ...first, id: anId() }, 1)
      expect(await listOf(app_user_id)).toMatchObject([
        { id: first.id, is_active: true },
        { id: second.id, is_active: false },
      ])
    })

    it("are forgotten by their token, by their user alone", async () => {
      const [app_user_id, other] = [await user(), await user()]
      const device = aPushToken({ app_user_id, token: `\\ ${awkwardText} ${anId()}` })
      await register(device)
      const forget = (userId: string, token: string) => db.transact((tx) => tx.pushTokens.forget(userId, token))
      await forget(other, device.token)
      await forget(app_user_id, `${device.token} `)
      expect(await listOf(app_user_id)).toStrictEqual([device])
      await forget(app_user_id, device.token)
      await forget(app_user_id, device.token)
      expect(await listOf(app_user_id)).toEqual([])
    })

    it("go with their user", async () => {
      const app_user_id = await user()
      await register(aPushToken({ app_user_id }))
      await db.transact((tx) => tx.users.remove({ id: app_user_id }))
      expect(await listOf(app_user_id)).toEqual([])
    })
  })
