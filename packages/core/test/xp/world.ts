import { testWorld } from "@hearth/testing"
import { Effect } from "effect"

/** A rule of 10 XP for a lesson. */
export const lesson = { event_name: "lesson", amount: 10, daily_cap: null }

/** A project with a user, at noon of 1 March 2026. */
export const xpWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const { background, events, xp } = world.core

  const record = (event_name: string, instants: ReadonlyArray<string>, app_user_id = userId) =>
    world.run(
      events.record(projectId, { events: instants.map((occurred_at) => ({ app_user_id, event_name, occurred_at })) }),
    )
  return {
    world,
    projectId,
    userId,
    record,
    process: () => world.run(background.process(projectId)),
    /** Records events of a name at these instants, and handles them in one batch. */
    handle: async (event_name: string, ...instants: ReadonlyArray<string>) => {
      await record(event_name, instants)
      await world.run(background.process(projectId))
    },
    rules: (...rules: Parameters<typeof xp.replaceRules>[1]["rules"]) =>
      world.run(xp.replaceRules(projectId, { rules })),
    levels: (...levels: Parameters<typeof xp.replaceLevels>[1]["levels"]) =>
      world.run(xp.replaceLevels(projectId, { levels })),
    award: (amount: unknown, reason?: string, key: string | null = null, user = userId) =>
      world.run(xp.award(projectId, user, reason === undefined ? { amount } : { amount, reason }, key)),
    refusal: (amount: unknown, user = userId, key: string | null = null) =>
      world.run(Effect.map(Effect.flip(xp.award(projectId, user, { amount }, key)), ({ code }) => code)),
    own: (user = userId) => world.run(xp.own(projectId, user)),
    ofUser: (user = userId) => world.run(xp.ofUser(projectId, user)),
    /** What the platform has told of the user, in the order in which it occurred: `xp_awarded` and `level_reached`. */
    told: async (name: "xp_awarded" | "level_reached") => {
      const { rows } = await world.run(world.core.events.ofUser(projectId, userId, { limit: 1_000, offset: 0 }))
      return rows.filter(({ event_name }) => event_name === name).toReversed()
    },
  }
}
