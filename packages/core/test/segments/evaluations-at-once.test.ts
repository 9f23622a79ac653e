import { type Background, createEngagement } from "@hearth/core"
import { Effect, Latch } from "effect"
import { describe, expect, it } from "vitest"
import { atLeast, recordingWorld, segmentWorld, withSegments } from "./world.ts"

const at = (time: string) => new Date(`2026-03-01T${time}.000Z`)

/** Runs the job of a project as a worker does when the queue starts it. */
const runJob = ({ workflows }: Background, project_id: string) => {
  const workflow = workflows.find(({ name }) => name === "run-project-job")
  if (workflow === undefined) throw new Error("No workflow runs jobs.")
  return workflow.run({ project_id, job: "segments.evaluate" })
}

describe("two evaluations at once", () => {
  it("of one project evaluate each segment once", async () => {
    const { world, projectId, evaluated, player, named } = await recordingWorld()
    await player(1)
    const workers = [world.core, createEngagement(world.ports), createEngagement(world.ports)]
    const run = ({ background }: typeof world.core) => runJob(background, projectId)
    await world.run(Effect.all(workers.map(run), { concurrency: "unbounded" }))
    expect(evaluated).toHaveLength(4)
    expect(new Set(evaluated).size).toBe(4)
    expect(await named("All users")).toMatchObject({ user_count: 1 })
  })

  it("are the most of one worker: a third project is postponed and takes no permit of the reactions", async () => {
    const gate = Latch.makeUnsafe()
    const { world } = await segmentWorld({
      ports: withSegments(({ list }) => ({ list: (...given) => Effect.andThen(gate.await, list(...given)) })),
    })
    const projects = [await world.aProjectWithOwner(), await world.aProjectWithOwner(), await world.aProjectWithOwner()]
    const run = ({ projectId }: { readonly projectId: string }) => runJob(world.core.background, projectId)
    const due = async () =>
      (await world.run(world.control.read((db) => db.jobs.due(["segments.evaluate"], at("12:01:00"))))).map(
        ({ project_id }) => project_id,
      )
    const [first, second, third] = projects.map(run)
    if (first === undefined || second === undefined || third === undefined) throw new Error("There are three.")
    const both = world.run(Effect.all([first, second], { concurrency: "unbounded" }))
    await world.run(third)
    expect(world.workflows.nextDueAt()).toEqual(at("12:00:05"))
    gate.openUnsafe()
    await both
    expect(await due()).not.toContain(projects[0]?.projectId)
    expect(await due()).toContain(projects[2]?.projectId)
    world.clock.set(at("12:00:05"))
    expect(await world.run(world.workflows.runDue())).toBe(1)
    expect(await due()).not.toContain(projects[2]?.projectId)
  })

  it("are one of a project, whose segments are evaluated one after the other, and leave the rest to others", async () => {
    const gate = Latch.makeUnsafe()
    const running: Array<string> = []
    const { world, projectId, create } = await segmentWorld({
      ports: withSegments(({ evaluate }) => ({
        evaluate: (segment, rules, now) => {
          running.push(segment.id)
          return Effect.andThen(gate.await, evaluate(segment, rules, now))
        },
      })),
    })
    const other = await world.aProjectWithOwner()
    const of = (project_id: string, segment_id: string) =>
      world.core.background.evaluation.evaluateSegment.run({ project_id, segment_id })
    const many = await Promise.all(Array.from({ length: 20 }, () => create(atLeast(1))))
    const first = world.run(of(projectId, many[0]?.id ?? ""))
    for (const { id } of many.slice(1)) await world.run(of(projectId, id))
    const rules = atLeast(1)
    const theirs = await world.run(world.core.segments.create(other.projectId, { name: "Theirs", rules }))
    const second = world.run(of(other.projectId, theirs.id))
    await expect.poll(() => running).toEqual([many[0]?.id, theirs.id])
    gate.openUnsafe()
    await Promise.all([first, second])
    await world.advance("1 minute")
    for (const { id } of many) {
      expect(await world.run(world.core.segments.get(projectId, id))).not.toMatchObject({ last_evaluated_at: null })
    }
  })

  it("never are of the same segment: the second is asked for again in five seconds", async () => {
    const gate = Latch.makeUnsafe()
    const begun = Latch.makeUnsafe()
    const running: Array<string> = []
    const { world, projectId, create, player, get, update } = await segmentWorld({
      ports: withSegments(({ evaluate }) => ({
        evaluate: Effect.fnUntraced(function* (segment, rules, now) {
          running.push(segment.id)
          begun.openUnsafe()
          yield* gate.await
          return yield* evaluate(segment, rules, now)
        }),
      })),
    })
    const { id } = await create(atLeast(10))
    const run = () =>
      world.run(world.core.background.evaluation.evaluateSegment.run({ project_id: projectId, segment_id: id }))
    const first = run()
    await world.run(begun.await)
    await run()
    expect(running).toEqual([id])
    expect(world.workflows.nextDueAt()).not.toBeNull()
    // Nobody waits for the one that runs: not the segment's developers, not its users.
    expect(await update(id, { name: "Renamed" })).toMatchObject({ name: "Renamed" })
    await player(20)
    expect(await get(id)).toMatchObject({ last_evaluated_at: null })
    gate.openUnsafe()
    await first
    expect(await get(id)).toMatchObject({ user_count: 1, last_evaluated_at: at("12:00:00") })
    world.clock.set(at("12:00:05"))
    await world.run(world.workflows.runDue())
    expect(running.length).toBeGreaterThan(1)
    expect(await get(id)).toMatchObject({ last_evaluated_at: at("12:00:05") })
  })

  it("are one by the new rules when they change meanwhile, and none of a segment that is removed meanwhile", async () => {
    const change: { now: Effect.Effect<unknown> } = { now: Effect.void }
    const counts: Array<number | null> = []
    const { world, projectId, create, player, get, members } = await segmentWorld({
      ports: withSegments(({ evaluate }) => ({
        evaluate: Effect.fnUntraced(function* (segment, rules, now) {
          // A transaction of its own, as another process would run it.
          yield* Effect.promise(() => Effect.runPromise(change.now))
          const count = yield* evaluate(segment, rules, now)
          counts.push(count)
          return count
        }),
      })),
    })
    const [many, few] = [await player(20), await player(5)]
    const { id } = await create(atLeast(10))
    const evaluate = () =>
      world.run(world.core.background.evaluation.evaluateSegment.run({ project_id: projectId, segment_id: id }))
    const { segments } = world.core
    change.now = Effect.suspend(() => {
      change.now = Effect.void
      return Effect.orDie(segments.update(projectId, id, { rules: atLeast(1) }))
    })
    await evaluate()
    expect(counts).toEqual([null, 2])
    expect(await members(id, many, few)).toEqual([true, true])
    let turn = 0
    change.now = Effect.suspend(() => {
      turn += 1
      return Effect.orDie(segments.update(projectId, id, { rules: atLeast(turn + 1) }))
    })
    await evaluate()
    // Somebody never stops to change them: it is asked for again.
    expect(counts.slice(2)).toEqual([null, null, null])
    expect(await get(id)).toMatchObject({ user_count: 2 })
    change.now = Effect.orDie(segments.remove(projectId, id))
    await evaluate()
    expect(counts.slice(5)).toEqual([null])
    expect(world.deaths).toEqual([])
  })

  it("of one segment end in the right members, whichever commits last", async () => {
    const { world, projectId, create, player, get, members } = await segmentWorld()
    const [many, few] = [await player(20), await player(5)]
    const { id } = await create(atLeast(10))
    const evaluate = world.core.background.evaluation.evaluateSegment.run({ project_id: projectId, segment_id: id })
    const change = Effect.orDie(world.core.segments.update(projectId, id, { rules: atLeast(1) }))
    await world.run(Effect.all([evaluate, change, evaluate, evaluate], { concurrency: "unbounded" }))
    await world.advance("5 seconds")
    expect(await get(id)).toMatchObject({ user_count: 2 })
    expect(await members(id, many, few)).toEqual([true, true])
  })
})
