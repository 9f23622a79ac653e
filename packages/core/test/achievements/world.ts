import type { Achievement, NewAchievement } from "@hearth/core/achievements"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"

/** Criteria of so many wins. */
export const wins = (count: number) => ({ all: [{ event: "win", count }] })

const defaults = { description: null, icon_url: null, xp_reward: 0, is_hidden: false, sort_order: 0, is_active: true }

/** A project with one user, at noon of 1 March 2026. */
export const achievementWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const { achievements, background, events, xp } = world.core
  let made = 0

  const create = (given: Partial<NewAchievement> = {}): Promise<Achievement> => {
    made += 1
    const named = { key: `key-${made}`, name: `Achievement ${made}`, criteria: wins(1) }
    return world.run(achievements.create(projectId, { ...defaults, ...named, ...given }))
  }
  const record = (event_name: string, count = 1, user = userId, properties = {}) =>
    world.run(events.record(projectId, { events: Array(count).fill({ app_user_id: user, event_name, properties }) }))
  const process = () => world.run(background.process(projectId))
  return {
    world,
    projectId,
    userId,
    create,
    record,
    process,
    newUser: async () => (await world.aSignedInUser(projectId)).userId,
    /** Records events of the user, and handles them in one batch, and then what these have caused. */
    handle: async (event_name: string, count = 1, user = userId) => {
      await record(event_name, count, user)
      await process()
    },
    update: (id: string, changes: Parameters<typeof achievements.update>[2]) =>
      world.run(achievements.update(projectId, id, changes)),
    refusal: <A, E extends { readonly code: string }>(work: Effect.Effect<A, E>) =>
      world.run(Effect.map(Effect.flip(work), ({ code }) => code)),
    own: (user = userId) => world.run(achievements.own(projectId, user)),
    ofUser: (user = userId) => world.run(achievements.listForUser(projectId, user)),
    /** The keys of what a user has unlocked. */
    unlocked: async (user = userId) =>
      (await world.run(achievements.listForUser(projectId, user)))
        .filter(({ unlocked_at }) => unlocked_at !== null)
        .map(({ key }) => key),
    unlock: (id: string, user = userId) => world.run(achievements.unlock(projectId, user, id)),
    revoke: (id: string, user = userId) => world.run(achievements.revoke(projectId, user, id)),
    evaluate: (id: string, dry_run = false) => world.run(achievements.evaluate(projectId, id, { dry_run })),
    total: async (user = userId) => (await world.run(xp.ofUser(projectId, user))).total,
    entries: async (user = userId) => (await world.run(xp.ofUser(projectId, user))).entries,
    ledger: (user = userId) =>
      world.run(
        world.tenants.read(projectId, (db) => db.xpEntries.list({ app_user_id: user }, [["created_at", "asc"]])),
      ),
    /** The platform events of the user of this name, the oldest first. */
    told: async (name: string, user = userId) => {
      const { rows } = await world.run(events.ofUser(projectId, user, { limit: 1_000, offset: 0 }))
      return rows.filter(({ event_name }) => event_name === name).toReversed()
    },
  }
}
