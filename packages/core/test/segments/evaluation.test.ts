import type { Ports } from "@hearth/core"
import { anId, aProject, aSegment } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { streakWorld } from "../streaks/world.ts"
import { atLeast, queueThatBreaks, recordingWorld, segmentWorld, withSegments } from "./world.ts"

const at = (time: string) => new Date(`2026-03-01T${time}.000Z`)

describe("SEGMENT_EVALUATION by the clock", () => {
  it("evaluates a new project within 30 seconds", async () => {
    const { world, player, named } = await segmentWorld()
    await player(1)
    world.clock.advance("30 seconds")
    await world.runPending()
    for (const [name, user_count] of [
      ["All users", 1],
      ["New users", 1],
      ["Active users", 1],
      ["Dormant users", 0],
    ] as const) {
      expect(await named(name)).toMatchObject({ user_count, last_evaluated_at: at("12:00:30") })
    }
  })

  it("evaluates again every 15 minutes, also without any activity", async () => {
    const { world, player, named, members } = await segmentWorld()
    const userId = await player(1)
    world.clock.advance("29 days")
    await world.runPending()
    const dormant = await named("Dormant users")
    expect([dormant.user_count, await members(dormant.id, userId)]).toEqual([0, [false]])
    world.clock.advance("1 day")
    await world.runPending()
    expect((await named("Dormant users")).user_count).toBe(0)
    world.clock.advance("14 minutes")
    await world.runPending()
    const evaluatedAt = new Date("2026-03-31T12:00:00.000Z")
    expect((await named("Dormant users")).last_evaluated_at).toEqual(evaluatedAt)
    world.clock.advance("1 minute")
    await world.runPending()
    expect(await named("Dormant users")).toMatchObject({ user_count: 1 })
    expect(await members(dormant.id, userId)).toEqual([true])
  })

  it("takes a minute for a project at once, and goes on with the segments that were evaluated longest ago", async () => {
    const evaluated: Array<string> = []
    const time = { take: () => {} }
    const { world, projectId, create, named } = await segmentWorld({
      ports: withSegments(({ evaluate }) => ({
        evaluate: (segment, rules, now) => {
          evaluated.push(segment.id)
          time.take()
          return evaluate(segment, rules, now)
        },
      })),
    })
    await world.runPending()
    world.clock.advance("5 minutes")
    const [a, b, c] = [await create(atLeast(1)), await create(atLeast(1)), await create(atLeast(1))]
    time.take = () => world.clock.advance("25 seconds")
    evaluated.length = 0
    const system = await Promise.all(["All users", "New users", "Active users", "Dormant users"].map(named))
    const { run } = world.core.background.evaluation.evaluateSegments
    const turn = async () => {
      const nextAt = await world.run(run(projectId))
      return [evaluated.splice(0), nextAt?.getTime() === world.clock.now().getTime()]
    }
    world.clock.advance("10 minutes")
    expect(await turn()).toEqual([[a.id, b.id, c.id], true])
    expect(await turn()).toEqual([system.slice(0, 3).map(({ id }) => id), true])
    expect(await turn()).toEqual([system.slice(3).map(({ id }) => id), false])
  })

  it("keeps a schedule for each project", async () => {
    const { world, evaluated, projectId } = await recordingWorld()
    await world.runPending()
    world.clock.advance("5 minutes")
    const other = await world.aProjectWithOwner()
    await world.runPending()
    const due = async (time: string) => {
      const jobs = await world.run(world.control.read((db) => db.jobs.due(["segments.evaluate"], at(time))))
      return [projectId, other.projectId].filter((id) => jobs.some(({ project_id }) => project_id === id))
    }
    expect([await due("12:14:59"), await due("12:15:00")]).toEqual([[], [projectId]])
    expect([await due("12:19:59"), await due("12:20:00")]).toEqual([[projectId], [projectId, other.projectId]])
    world.clock.set(at("12:15:00"))
    await world.runPending()
    expect([await due("12:29:59"), await due("12:30:00")]).toEqual([[other.projectId], [projectId, other.projectId]])
    expect(evaluated).toHaveLength(3 * 4)
  })

  it("evaluates a segment that was evaluated on demand again within 15 minutes", async () => {
    const { world, projectId, create, evaluated, get } = await recordingWorld()
    await world.runPending()
    world.clock.set(at("12:05:00"))
    const { id } = await create(atLeast(10))
    await world.runPending()
    const times: Array<string> = []
    for (let minute = 6; minute <= 40; minute += 1) {
      world.clock.set(at(`12:${String(minute).padStart(2, "0")}:00`))
      const before = evaluated.length
      await world.runPending()
      if (evaluated.length > before) times.push(`${minute}: ${evaluated.length - before}`)
    }
    expect(times).toEqual(["15: 4", "20: 1", "30: 4", "35: 1"])
    expect(await get(id)).toMatchObject({ last_evaluated_at: at("12:35:00") })
    const due = (time: string) => world.run(world.control.read((db) => db.jobs.due(["segments.evaluate"], at(time))))
    expect(await due("12:44:59")).toEqual([])
    expect(await due("12:45:00")).toMatchObject([{ project_id: projectId }])
  })

  it("does not make a test clock stop every 15 minutes of a year", async () => {
    const { world, evaluated, named } = await recordingWorld()
    await world.advance("365 days")
    expect(evaluated.length).toBeLessThanOrEqual(8)
    expect((await named("All users")).last_evaluated_at).toEqual(world.clock.now())
  })
})

describe("what cannot be evaluated", () => {
  it("is signalled and skipped when stored rules can no longer be read", async () => {
    const { world, projectId, create, get } = await segmentWorld()
    const { id: before } = await create(atLeast(1), "Before")
    const broken = aSegment({ rules: { operator: "XOR", conditions: [] }, created_at: world.clock.now() })
    await world.run(world.tenants.transact(projectId, (db) => db.segments.insert(broken)))
    const { id: after } = await create(atLeast(1), "After")
    world.clock.advance("1 hour")
    await world.runPending()
    for (const id of [before, after]) expect((await get(id)).last_evaluated_at).toEqual(at("13:00:00"))
    expect(await get(broken.id)).toMatchObject({ user_count: 0, last_evaluated_at: null })
    const failed = {
      ...{ name: "evaluation_failed", project_id: projectId, segment_id: broken.id },
      reason: "INVALID_RULES",
    }
    expect(world.signals.of("evaluation_failed")).toEqual([failed])
    await world.run(world.core.segments.evaluate(projectId, broken.id))
    await world.runPending()
    expect(world.signals.of("evaluation_failed")).toEqual([failed, failed])
    expect(world.deaths).toEqual([])
  })

  it("does not block other segments when its statement fails, and is retried at the next evaluation", async () => {
    const { world, failing, evaluated, named } = await recordingWorld()
    const [all, dormant] = [await named("All users"), await named("Dormant users")]
    failing.add(all.id)
    await world.runPending()
    expect((await named("Dormant users")).last_evaluated_at).toEqual(at("12:00:00"))
    expect(world.signals.of("evaluation_failed")).toMatchObject([{ segment_id: all.id, reason: "a statement failed" }])
    await world.advance("14 minutes")
    await world.runPending()
    expect(evaluated.filter((id) => id === all.id)).toHaveLength(1)
    failing.clear()
    world.clock.set(at("12:15:00"))
    await world.runPending()
    expect((await named("All users")).last_evaluated_at).toEqual(at("12:15:00"))
    expect(evaluated.filter((id) => id === dormant.id)).toHaveLength(2)
  })

  it("is retried after five minutes when the project cannot be reached", async () => {
    const { world, projectId, named } = await segmentWorld()
    const other = await world.aProjectWithOwner()
    world.tenants.unreachable(projectId, true)
    for (let polls = 0; polls < 20; polls += 1) {
      await world.runPending()
      world.clock.advance("30 seconds")
    }
    expect(world.signals.of("job_failed").filter(({ job }) => job === "segments.evaluate")).toEqual(
      Array(2).fill({
        ...{ name: "job_failed", project_id: projectId, job: "segments.evaluate" },
        reason: "TENANT_UNAVAILABLE",
      }),
    )
    const { rows } = await world.run(world.core.segments.list(other.projectId, { limit: 9, offset: 0 }))
    expect(rows.map(({ last_evaluated_at }) => last_evaluated_at)).toEqual(Array(4).fill(at("12:00:00")))
    world.tenants.unreachable(projectId, false)
    await world.runPending()
    expect((await named("All users")).last_evaluated_at).toEqual(at("12:10:00"))
  })

  it("is signalled when a segment was requested in a project that cannot be reached", async () => {
    const { world, projectId } = await segmentWorld()
    const [project_id, segment_id] = [projectId, anId()]
    world.tenants.unreachable(projectId, true)
    const { evaluateSegment } = world.core.background.evaluation
    expect(Exit.isSuccess(await world.run(Effect.exit(evaluateSegment.run({ project_id, segment_id }))))).toBe(true)
    expect(world.signals.of("evaluation_failed")).toMatchObject([{ segment_id, reason: "TENANT_UNAVAILABLE" }])
  })

  it("is ignored when the segment or the project is gone", async () => {
    const { world, projectId, ownerId, create } = await segmentWorld()
    const { id } = await create(atLeast(1))
    await world.run(world.core.segments.remove(projectId, id))
    await world.runPending()
    expect(world.signals.of("evaluation_failed")).toEqual([])
    await world.run(world.core.projects.remove(projectId, ownerId))
    await world.advance("1 hour")
    expect(world.signals.of("evaluation_failed")).toEqual([])
    expect(world.deaths).toEqual([])
  })
})

describe("rules about streaks [E2]", () => {
  it("are matched against streaks that are expired first, before any poll", async () => {
    const { world, projectId, definition, qualify, stored } = await streakWorld()
    await qualify()
    const rules = {
      operator: "AND",
      conditions: [{ field: `streaks.${definition.id}.current_count`, op: "gte", value: 1 }],
    }
    const { create, get, evaluate } = world.core.segments
    const { id } = await world.run(create(projectId, { name: "Going on", description: null, rules }))
    await world.run(world.workflows.runDue())
    expect(await world.run(get(projectId, id))).toMatchObject({ user_count: 1 })
    world.clock.advance("3 days")
    await world.run(evaluate(projectId, id))
    expect((await stored())?.current_count).toBe(1)
    await world.run(world.workflows.runDue())
    expect(await world.run(get(projectId, id))).toMatchObject({ user_count: 0, last_evaluated_at: world.clock.now() })
    expect(await stored()).toMatchObject({ current_count: 0, status: "broken" })
  })

  it("expire streaks outside of the transaction that evaluates the segment", async () => {
    const order: Array<string> = []
    const { world, projectId, definition, qualify } = await streakWorld(
      {},
      {
        ports: ({ tenants }) => ({
          tenants: {
            ...tenants,
            transact: (id, work) =>
              tenants.transact(id, (db) => {
                const steps: Array<string> = []
                const record = <A>(word: string, effect: A): A => {
                  steps.push(word)
                  return effect
                }
                const seen: typeof db = {
                  ...db,
                  segments: {
                    ...db.segments,
                    lockEvaluation: (segment) => record("lock", db.segments.lockEvaluation(segment)),
                    evaluate: (...given) => record("evaluate", db.segments.evaluate(...given)),
                  },
                  outbox: { ...db.outbox, hold: () => record("hold", db.outbox.hold()) },
                }
                return Effect.ensuring(
                  work(seen),
                  Effect.sync(() => order.push(steps.join(" "))),
                )
              }),
          },
        }),
      },
    )
    await qualify()
    const rules = { operator: "AND", conditions: [{ field: `streaks.${definition.id}.current_count`, op: "exists" }] }
    const input = { name: "Begun", description: null, rules }
    const { id } = await world.run(world.core.segments.create(projectId, input))
    order.length = 0
    await world.run(world.core.background.evaluation.evaluateSegment.run({ project_id: projectId, segment_id: id }))
    expect(order).toEqual(["lock", "hold", "lock evaluate"])
  })
})

describe("the poll of due projects", () => {
  const recordStarts = () => {
    const starts: Array<{ readonly id: string; readonly at: Date | undefined }> = []
    const ports = ({ workflows }: Ports): Partial<Ports> => ({
      workflows: {
        ...workflows,
        start: (workflow, id, input, options) => {
          if (workflow.name === "run-project-job") starts.push({ id, at: options?.at })
          return workflows.start(workflow, id, input, options)
        },
      },
    })
    return { starts, ports }
  }
  const manyProjects = async (world: Awaited<ReturnType<typeof segmentWorld>>["world"], count: number) =>
    world.run(
      world.control.transact((db) =>
        Effect.forEach(Array.from({ length: count }), () => Effect.orDie(db.projects.insert(aProject())), {
          discard: true,
        }),
      ),
    )

  it("starts at most 200 jobs, ten per second, so that reactions do not wait behind them", async () => {
    const { starts, ports } = recordStarts()
    const { world } = await segmentWorld({ ports })
    await manyProjects(world, 250)
    await world.run(world.core.background.pollDue())
    expect(starts).toHaveLength(200)
    expect(new Set(starts.map(({ id }) => id)).size).toBe(200)
    const seconds = starts.map((start) => ((start.at?.getTime() ?? 0) - world.clock.now().getTime()) / 1000)
    expect(seconds).toEqual(Array.from({ length: 200 }, (_, index) => Math.floor(index / 10)))
  })

  it("calls an unreachable queue once, signals it, and processes pending projects all the same", async () => {
    const { state, ports } = queueThatBreaks()
    const { world, projectId } = await segmentWorld({ ports })
    await manyProjects(world, 5)
    const { userId } = await world.aSignedInUser(projectId)
    state.isDown = true
    await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
    const before = state.refused
    await world.run(world.core.background.poll)
    expect(state.refused - before).toBe(1)
    expect(world.signals.of("job_not_started")).toHaveLength(1)
    expect(world.signals.of("events_reacted").filter(({ events }) => events > 0)).toHaveLength(1)
  })
})
