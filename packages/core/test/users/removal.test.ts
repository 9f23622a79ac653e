import type { TenantDb } from "@hearth/core"
import { anXpEntry, aQualifyingEvent, aStreakDefinition, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"

const many = 50_001

/** A project with a user and a streak, in a world that counts transactions. */
const setUp = async () => {
  let transactions = 0
  const world = testWorld({
    ports: ({ tenants }) => ({
      tenants: {
        ...tenants,
        transact: (id, work, options) =>
          Effect.suspend(() => {
            transactions += 1
            return tenants.transact(id, work, options)
          }),
      },
    }),
  })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const streak = aStreakDefinition()
  const write = <E>(work: (db: TenantDb) => Effect.Effect<unknown, E>) =>
    world.run(world.tenants.transact(projectId, (db) => Effect.orDie(work(db))))
  await write((db) => db.streakDefinitions.insert(streak))
  const key = { app_user_id: userId, streak_definition_id: streak.id }
  return {
    userId,
    key,
    write,
    /** Removes the user, and answers in how many transactions. */
    remove: async () => {
      const before = transactions
      expect(await world.run(world.core.users.remove(projectId, userId))).toBe(1)
      return transactions - before
    },
  }
}

describe("what may be as much as events goes in pieces with its user [I0.4]", () => {
  test("a few rows are removed at once", async () => {
    const { remove, userId, write } = await setUp()
    await write((db) => db.xpEntries.insertMany([anXpEntry({ app_user_id: userId })]))
    expect(await remove()).toBe(1)
  })

  test("the ledger of XP", async () => {
    const { remove, userId, write } = await setUp()
    const entries = Array.from({ length: many }, () => anXpEntry({ app_user_id: userId }))
    await write((db) => db.xpEntries.insertMany(entries))
    expect(await remove()).toBe(2)
  })

  test("what streaks have counted", async () => {
    const { key, remove, write } = await setUp()
    const at = (millis: number) => new Date(Date.UTC(2026, 1, 1) + millis)
    const events = Array.from({ length: many }, (_, n) => aQualifyingEvent({ ...key, occurred_at: at(n) }))
    await write((db) => db.qualifyingEvents.add(events))
    expect(await remove()).toBe(2)
  })
})
