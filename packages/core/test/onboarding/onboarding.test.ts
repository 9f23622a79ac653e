import type { OnboardingFlow } from "@hearth/core/onboarding"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const steps = [{ title: "Hello" }, { title: "Goals", choices: ["run", "read"] }]

/** A project with a flow of two steps, and a user who has done the first `done` of them; null has not started. */
const onboardingWorld = async (done: number | null = 0) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { core } = world
  const { projectId } = await world.aProjectWithOwner()
  const flow = await world.run(core.onboarding.create(projectId, { name: "Welcome", steps, is_active: true }))
  const { userId } = await world.aSignedInUser(projectId)
  const advance = (step: number, answers: OnboardingFlow["steps"][number] = {}) =>
    core.onboarding.advance(projectId, userId, flow.id, { step, answers })
  const calls = {
    start: core.onboarding.start(projectId, userId, flow.id),
    complete: core.onboarding.complete(projectId, userId, flow.id),
    skip: core.onboarding.skip(projectId, userId, flow.id),
  }
  if (done !== null) await world.run(calls.start)
  for (let step = 0; step < (done ?? 0); step += 1) await world.run(advance(step))
  const events = async (of = userId) =>
    (await world.run(world.tenants.read(projectId, (db) => db.events.pageOfUser(of, { limit: 100, offset: 0 })))).rows
      .map(({ event_name, properties }) => ({ event_name, properties }))
      .filter(({ event_name }) => event_name.startsWith("onboarding_"))
      .toReversed()
  return {
    ...{ world, core, projectId, flow, userId, advance, events, ...calls },
    own: async (of = userId) => (await world.run(core.onboarding.own(projectId, of, { limit: 9, offset: 0 }))).rows,
    update: (changes: Parameters<typeof core.onboarding.update>[2]) =>
      world.run(core.onboarding.update(projectId, flow.id, changes)),
    refusal: <E>(effect: Effect.Effect<unknown, E>) => world.run(Effect.flip(effect)),
    together: <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) =>
      world.run(Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })),
  }
}

describe("a flow", () => {
  it("is started once, and the second start answers how far the user is [G8.3]", async () => {
    const { world, start, advance, flow } = await onboardingWorld(null)
    const first = await world.run(start)
    expect(first).toMatchObject({
      created: true,
      row: {
        ...{ flow_id: flow.id, status: "in_progress", current_step: 0, steps, answers: {} },
        ...{ started_at: new Date("2026-03-01T12:00:00.000Z"), completed_at: null, skipped_at: null },
      },
    })
    world.clock.advance("1 hour")
    expect(await world.run(start)).toStrictEqual({ ...first, created: false })
    const moved = await world.run(advance(0, { name: "Ada" }))
    expect(await world.run(start)).toStrictEqual({ created: false, row: moved })
  })

  it("is gone through step by step, with the answers under their step [G8.2, G8.3]", async () => {
    const { world, advance, complete, own } = await onboardingWorld()
    expect(await world.run(advance(0, { name: "Ada" }))).toMatchObject({
      ...{ status: "in_progress", current_step: 1, answers: { "0": { name: "Ada" } } },
    })
    await world.run(advance(1, {}))
    world.clock.advance("1 minute")
    const completed = await world.run(complete)
    expect(completed).toMatchObject({
      ...{ status: "completed", current_step: 2, answers: { "0": { name: "Ada" }, "1": {} } },
      completed_at: new Date("2026-03-01T12:01:00.000Z"),
    })
    world.clock.advance("1 minute")
    expect(await world.run(complete)).toStrictEqual(completed)
    expect(await own()).toMatchObject([{ name: "Welcome", steps, progress: completed }])
  })

  it("is skipped once, at whatever step [G8.3]", async () => {
    const { world, skip } = await onboardingWorld(1)
    const skipped = await world.run(skip)
    expect(skipped).toMatchObject({ status: "skipped", current_step: 1, skipped_at: world.clock.now() })
    world.clock.advance("1 minute")
    expect(await world.run(skip)).toStrictEqual(skipped)
  })

  it("keeps for a user the steps of the start [G8.1]", async () => {
    const { world, update, own, start, advance, complete } = await onboardingWorld(1)
    await update({ name: "New", steps: [{ title: "Other" }] })
    expect(await own()).toMatchObject([{ name: "New", steps: [{ title: "Other" }], progress: { steps } }])
    expect(await world.run(start)).toMatchObject({ row: { steps } })
    await world.run(advance(1))
    expect(await world.run(complete)).toMatchObject({ status: "completed", steps })
  })

  it("that is inactive is left to those who have started it [G8.2, G8.3]", async () => {
    const { world, core, projectId, flow, update, own, start, advance, complete, refusal } = await onboardingWorld(1)
    const other = await world.aSignedInUser(projectId)
    await update({ is_active: false })
    expect(await own()).toMatchObject([{ id: flow.id, progress: { current_step: 1 } }])
    expect(await own(other.userId)).toEqual([])
    expect(await refusal(core.onboarding.start(projectId, other.userId, flow.id))).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(start)).toMatchObject({ created: false })
    await world.run(advance(1))
    expect(await world.run(complete)).toMatchObject({ status: "completed" })
  })

  it("takes with it what users have done of it", async () => {
    const { world, core, projectId, flow, own, advance, refusal } = await onboardingWorld(1)
    await world.run(core.onboarding.remove(projectId, flow.id))
    expect(await own()).toEqual([])
    expect(await refusal(advance(1))).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(core.onboarding.stats(projectId))).toEqual([])
    await world.run(core.onboarding.remove(projectId, flow.id))
  })

  it("is one of at most 100 of a project [G8.1]", async () => {
    const { world, core, projectId, refusal } = await onboardingWorld()
    const create = core.onboarding.create(projectId, { name: "More", steps, is_active: true })
    for (let made = 1; made < 100; made += 1) await world.run(create)
    expect(await refusal(create)).toMatchObject({ code: "LIMIT_REACHED", details: { limit: 100 } })
  })
})

describe("what is not next", () => {
  it("is refused before the start [G8.3]", async () => {
    const { advance, complete, skip, refusal, events } = await onboardingWorld(null)
    for (const call of [advance(0), complete, skip])
      expect(await refusal(call)).toMatchObject({ code: "NOT_STARTED", kind: "conflict" })
    expect(await events()).toEqual([])
  })

  it("is refused after the end: ALREADY_COMPLETED before STEP_OUT_OF_ORDER [G8.3]", async () => {
    const completed = await onboardingWorld(2)
    await completed.world.run(completed.complete)
    for (const call of [completed.advance(7), completed.advance(1), completed.skip])
      expect(await completed.refusal(call)).toMatchObject({ code: "ALREADY_COMPLETED", kind: "conflict" })
    const skipped = await onboardingWorld(1)
    await skipped.world.run(skipped.skip)
    for (const call of [skipped.advance(1), skipped.complete])
      expect(await skipped.refusal(call)).toMatchObject({ code: "ALREADY_COMPLETED" })
  })

  it("is refused in the middle, and nothing changes [G8.3]", async () => {
    const { advance, complete, refusal, own } = await onboardingWorld(1)
    const before = await own()
    for (const call of [advance(2), advance(-1), advance(0, { other: true }), complete])
      expect(await refusal(call)).toMatchObject({ code: "STEP_OUT_OF_ORDER", kind: "conflict" })
    expect(await own()).toStrictEqual(before)
  })

  it("is a flow of another project, or none", async () => {
    const { world, core, flow, refusal } = await onboardingWorld()
    const other = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(other.projectId)
    for (const id of [flow.id, userId])
      expect(await refusal(core.onboarding.start(other.projectId, userId, id))).toMatchObject({ code: "NOT_FOUND" })
  })

  it("is that of a user who is gone", async () => {
    const { world, core, projectId, userId, start, advance, refusal } = await onboardingWorld(1)
    await world.run(core.users.remove(projectId, userId))
    expect(await refusal(start)).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await refusal(advance(1))).toMatchObject({ code: "INVALID_TOKEN" })
  })
})

describe("events of onboarding", () => {
  it("are written once each, with the flow and the step, whatever is repeated [G8.5]", async () => {
    const { world, start, advance, complete, events, flow, refusal } = await onboardingWorld(null)
    const calls = [start, start, advance(0, { a: 1 }), advance(0, { a: 1 }), advance(1), advance(1), complete, complete]
    for (const call of calls) {
      world.clock.advance("1 second")
      await world.run(call as Effect.Effect<unknown, unknown>)
    }
    await refusal(advance(1))
    const properties = { flow_id: flow.id, flow_name: "Welcome" }
    expect(await events()).toEqual([
      { event_name: "onboarding_started", properties },
      { event_name: "onboarding_step_completed", properties: { ...properties, step: 0 } },
      { event_name: "onboarding_step_completed", properties: { ...properties, step: 1 } },
      { event_name: "onboarding_completed", properties },
    ])
  })

  it("tell of a skip [G8.5]", async () => {
    const { world, skip, events } = await onboardingWorld()
    world.clock.advance("1 second")
    await world.run(skip)
    await world.run(skip)
    expect((await events()).map(({ event_name }) => event_name)).toEqual(["onboarding_started", "onboarding_skipped"])
  })

  it("are handled like any others", async () => {
    const { world, core, projectId, userId, start } = await onboardingWorld(null)
    const rules = { description: null, grace_period_hours: 0, freeze_enabled: false, max_freezes: 1 }
    const streak = { name: "Starts", qualifying_event: "onboarding_started", period: "daily" as const }
    await world.run(core.streaks.create(projectId, { ...streak, ...rules, freezes_per_n_events: null }))
    await world.run(start)
    await world.runPending()
    expect(await world.run(core.streaks.own(projectId, userId))).toMatchObject([{ current_count: 1 }])
  })
})

describe("statistics", () => {
  it("count users by flow, the oldest flow first [G8.4]", async () => {
    const { world, core, projectId, flow } = await onboardingWorld(2)
    world.clock.advance("1 second")
    const second = await world.run(core.onboarding.create(projectId, { name: "Two", steps, is_active: false }))
    const { userId } = await world.aSignedInUser(projectId)
    await world.run(core.onboarding.start(projectId, userId, flow.id))
    await world.run(core.onboarding.skip(projectId, userId, flow.id))
    expect(await world.run(core.onboarding.stats(projectId))).toEqual([
      {
        ...{ flow_id: flow.id, flow_name: "Welcome", total_started: 2, total_completed: 0, total_skipped: 1 },
        completion_rate: 0,
        steps: [
          { step: 0, reached: 2 },
          { step: 1, reached: 1 },
        ],
      },
      {
        ...{ flow_id: second.id, flow_name: "Two", total_started: 0, total_completed: 0, total_skipped: 0 },
        completion_rate: 0,
        steps: [
          { step: 0, reached: 0 },
          { step: 1, reached: 0 },
        ],
      },
    ])
  })
})

describe("calls at once", () => {
  it("start a flow once [G8.3]", async () => {
    const { start, together, events } = await onboardingWorld(null)
    const exits = await together(Array.from({ length: 8 }, () => start))
    const rows = exits.flatMap((exit) => (exit._tag === "Success" ? [exit.value] : []))
    expect(rows).toHaveLength(8)
    expect(rows.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(rows.map(({ row }) => JSON.stringify(row))).size).toBe(1)
    expect(await events()).toHaveLength(1)
  })

  it("do a step once: equal answers are answered alike, others are refused [G8.3]", async () => {
    const { advance, together, events, own } = await onboardingWorld()
    const same = await together(Array.from({ length: 5 }, () => advance(0, { name: "Ada" })))
    expect(same.map(({ _tag }) => _tag)).toEqual(Array(5).fill("Success"))
    const mixed = await together(["a", "b", "c"].map((answer) => advance(1, { answer })))
    expect(mixed.filter(({ _tag }) => _tag === "Success")).toHaveLength(1)
    expect(await own()).toMatchObject([{ progress: { current_step: 2, answers: { "0": { name: "Ada" } } } }])
    expect(await events()).toHaveLength(3)
  })

  it("end a flow in one way [G8.3]", async () => {
    const { complete, skip, together, events } = await onboardingWorld(2)
    const exits = await together([complete, skip, complete, skip])
    expect(exits.filter(({ _tag }) => _tag === "Success")).toHaveLength(2)
    expect((await events()).filter(({ event_name }) => /completed$|skipped$/.test(event_name))).toHaveLength(3)
  })

  it("meet the removal of the flow or the user without a deadlock", async () => {
    for (const what of ["flow", "user"] as const) {
      const { core, projectId, userId, flow, start, advance, together, own } = await onboardingWorld(null)
      const remove = what === "flow" ? core.onboarding.remove(projectId, flow.id) : core.users.remove(projectId, userId)
      const exits = await together<unknown, { readonly code: string }>([start, advance(0), remove, start, advance(0)])
      const refusals = exits.flatMap((exit) => (exit._tag === "Failure" ? exit.cause.reasons : []))
      for (const reason of refusals)
        expect(reason).toMatchObject({
          error: { code: expect.stringMatching(/^(NOT_FOUND|INVALID_TOKEN|NOT_STARTED)$/) },
        })
      expect(await own()).toHaveLength(what === "flow" ? 0 : 1)
    }
  })
})
