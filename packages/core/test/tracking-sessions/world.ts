import { testWorld } from "@hearth/testing"
import { Effect, Stream } from "effect"

export const noon = new Date("2026-03-01T12:00:00.000Z")

export const minutes = (count: number) => new Date(noon.getTime() + count * 60_000)

const unnamed = { platform: null, app_version: null, device_model: null, metadata: {} }

/** A project with a user who has no session yet. */
export const sessionsWorld = async () => {
  const world = testWorld({ startAt: noon })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const sessions = world.core.trackingSessions
  const start = (session_id: string, given: Partial<typeof unnamed | { platform: string }> = {}, of = userId) =>
    sessions.start(projectId, of, { ...unnamed, ...given, session_id })
  const end = (session_id: string, of = userId) => sessions.end(projectId, of, session_id)
  const heartbeat = (session_id: string, of = userId) => sessions.heartbeat(projectId, of, session_id)
  const { run } = world
  return {
    ...{ world, run, projectId, userId, start, end, heartbeat },
    user: async () => (await world.aSignedInUser(projectId)).userId,
    rows: (app_user_id = userId) =>
      run(world.tenants.read(projectId, (db) => db.trackingSessions.list({ app_user_id }, [["started_at", "asc"]]))),
    /** The events of sessions, the oldest first. */
    events: async (of = userId) =>
      (await run(world.tenants.read(projectId, (db) => db.events.pageOfUser(of, { limit: 5_000, offset: 0 })))).rows
        .filter(({ event_name }) => event_name.startsWith("session_"))
        .map(({ event_name, properties, occurred_at }) => ({ event_name, properties, occurred_at }))
        .toReversed(),
    figures: () => run(world.core.analytics.sessions(projectId, {})),
    bundle: async () => {
      const { text } = await run(world.core.exports.user(projectId, userId))
      const lines = (
        await run(
          Stream.runFold(
            text,
            () => "",
            (all, piece) => all + piece,
          ),
        )
      )
        .trim()
        .split("\n")
      return lines.map((line) => JSON.parse(line)).filter(({ section }) => section === "tracking_sessions")
    },
    refusal: <E>(effect: Effect.Effect<unknown, E>) => run(Effect.flip(effect)),
    together: <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) =>
      run(Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })),
  }
}
