import { type Ports, QueueUnavailable } from "@hearth/core"
import type { Segment, Segments } from "@hearth/core/segments"
import { type TestWorldOptions, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { withFault } from "../faults.ts"

/** Rules that match users with at least this many points. */
export const atLeast = (points: number) => ({
  operator: "AND",
  conditions: [{ field: "properties.points", op: "gte", value: points }],
})

/** A project without users, at noon of 1 March 2026. */
export const segmentWorld = async (options: TestWorldOptions = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const { segments, users } = world.core
  const named = async (name: string): Promise<Segment> => {
    const { rows } = await world.run(segments.list(projectId, { limit: 1000, offset: 0 }))
    const found = rows.find((segment) => segment.name === name)
    if (found === undefined) throw new Error(`There is no segment ${name}.`)
    return found
  }
  return {
    world,
    projectId,
    ownerId,
    named,
    /** A new user with so many points. */
    player: async (points: number) => {
      const { userId } = await world.aSignedInUser(projectId)
      await world.run(users.update(projectId, userId, { properties: { points } }))
      return userId
    },
    create: (rules: unknown, name = "Players") =>
      world.run(segments.create(projectId, { name, description: null, rules })),
    get: (id: string) => world.run(segments.get(projectId, id)),
    update: (id: string, changes: Parameters<typeof segments.update>[2]) =>
      world.run(segments.update(projectId, id, changes)),
    refusedUpdate: (id: string, changes: Parameters<typeof segments.update>[2]) =>
      world.run(Effect.flip(segments.update(projectId, id, changes))),
    explain: (id: string, userId: string) => world.run(segments.explain(projectId, id, userId)),
    /** Whether each of these users is a member. */
    members: async (segmentId: string, ...userIds: ReadonlyArray<string>) => {
      const explained = await Promise.all(
        userIds.map((userId) => world.run(segments.explain(projectId, segmentId, userId))),
      )
      return explained.map(({ is_member }) => is_member)
    },
  }
}

/** Ports whose segments do some things otherwise. */
export const withSegments =
  (change: (segments: Segments) => Partial<Segments>) =>
  ({ tenants }: Ports): Partial<Ports> => ({
    tenants: withFault(tenants, (db) => ({ ...db, segments: { ...db.segments, ...change(db.segments) } })),
  })

/** Records every evaluation; that of a segment in `failing` dies. */
const recordEvaluations = () => {
  const evaluated: Array<string> = []
  const failing = new Set<string>()
  const ports = withSegments(({ evaluate }) => ({
    evaluate: (segment, rules, now) =>
      Effect.suspend(() => {
        evaluated.push(segment.id)
        return failing.has(segment.id) ? Effect.die("a statement failed") : evaluate(segment, rules, now)
      }),
  }))
  return { evaluated, failing, ports }
}

/** A project as of `segmentWorld`, which tells what is evaluated. */
export const recordingWorld = async (options: TestWorldOptions = {}) => {
  const { evaluated, failing, ports } = recordEvaluations()
  return { evaluated, failing, ...(await segmentWorld({ ports, ...options })) }
}

/** A workflow runner that refuses every start while `isDown`. */
export const queueThatBreaks = () => {
  const state = { isDown: false, refused: 0 }
  const ports = ({ workflows }: Ports): Partial<Ports> => ({
    workflows: {
      ...workflows,
      start: (...given) =>
        Effect.suspend(() => {
          if (!state.isDown) return workflows.start(...given)
          state.refused += 1
          return Effect.fail(new QueueUnavailable())
        }),
    },
  })
  return { state, ports }
}
