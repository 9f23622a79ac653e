import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("onboarding, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const admin = <Data>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const aFlow = async (fields: object = {}) =>
    (await admin<{ id: string }>("POST", "/onboarding/flows", { name: "Welcome", steps: [{}, {}], ...fields })).data.id
  const post = (user: TestUser, flowId: string, call: string, body?: unknown) =>
    server.api.call<Record<string, unknown>>("POST", `/client/onboarding/${flowId}/${call}`, user.as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]

  const flow = { name: "Welcome", steps: [{ title: "Hello" }] }
  it.each([
    ["no steps", { name: "Welcome" }],
    ["no name", { steps: [{}] }],
    ["an empty name", { ...flow, name: "" }],
    ["a name of 201 characters", { ...flow, name: "n".repeat(201) }],
    ["a name with NUL", { ...flow, name: "a\u0000b" }],
    ["steps that are no array", { ...flow, steps: { 0: {} } }],
    ["steps that are null", { ...flow, steps: null }],
    ["0 steps", { ...flow, steps: [] }],
    ["101 steps", { ...flow, steps: Array(101).fill({}) }],
    ["a step that is no object", { ...flow, steps: [{}, "step"] }],
    ["a step that is null", { ...flow, steps: [null] }],
    ["a step that is an array", { ...flow, steps: [[]] }],
    ["steps of over 64 KB together", { ...flow, steps: Array(2).fill({ text: "x".repeat(32_760) }) }],
    ["is_active that is no boolean", { ...flow, is_active: "yes" }],
    ["is_active that is null", { ...flow, is_active: null }],
  ])("refuses a flow with %s, and a change to it [G8.1]", async (_, body) => {
    expect(brief(await admin("POST", "/onboarding/flows", body))).toEqual([400, "INVALID_INPUT"])
    const { name, steps, is_active } = body as Record<string, unknown>
    if (name === undefined || steps === undefined) return
    const id = await aFlow()
    expect(brief(await admin("PATCH", `/onboarding/flows/${id}`, { name, steps, is_active }))).toEqual([
      ...[400, "INVALID_INPUT"],
    ])
  })

  it("keeps 100 steps, and steps of 64 KB together, as they are [G8.1]", async () => {
    const many = Array.from({ length: 100 }, (_, step) => ({ step, "🦊": [null, -1.5, { a: [] }] }))
    const made = await admin("POST", "/onboarding/flows", { name: "Many", steps: many })
    expect([made.status, made.data]).toMatchObject([201, { steps: many }])
    // `[{"text":"…"}]` has 13 bytes around its text.
    const large = [{ text: "x".repeat(64 * 1024 - 13) }]
    expect(await admin("POST", "/onboarding/flows", { name: "Large", steps: large })).toMatchObject({ status: 201 })
    const over = [{ text: "x".repeat(64 * 1024 - 12) }]
    expect(await admin("POST", "/onboarding/flows", { name: "Over", steps: over })).toMatchObject({ status: 400 })
  })

  it("has at most 100 flows, however many are made at once [G8.1]", async () => {
    const other = await aProject(server.api)
    const make = () => server.api.call("POST", `${other.admin}/onboarding/flows`, other.owner.as, flow)
    for (let made = 0; made < 9; made += 1) await Promise.all(Array.from({ length: 11 }, make))
    const answers = await Promise.all(Array.from({ length: 8 }, make))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === "LIMIT_REACHED")).toHaveLength(7)
  })

  it("answers 404 for flows that are not there, and 200 where one of them is removed", async () => {
    for (const id of [randomUUID(), "nothing"]) {
      expect(brief(await admin("GET", `/onboarding/flows/${id}`))).toEqual([404, "NOT_FOUND"])
      expect(brief(await admin("PATCH", `/onboarding/flows/${id}`, { name: "New" }))).toEqual([404, "NOT_FOUND"])
    }
    expect(await admin("DELETE", `/onboarding/flows/${randomUUID()}`)).toMatchObject({
      ...{ status: 200, data: { deleted: true } },
    })
    const user = await aUser(server.api, project)
    for (const call of ["start", "advance", "skip", "complete"])
      for (const id of [randomUUID(), "nothing"])
        expect(brief(await post(user, id, call, { step: 0 }))).toEqual([404, "NOT_FOUND"])
  })

  it("answers 201, then 200, and conflicts with their codes [G8.3]", async () => {
    const user = await aUser(server.api, project)
    const id = await aFlow()
    const advance = (step: number, answers?: object) => post(user, id, "advance", { step, answers })
    for (const call of [advance(0), post(user, id, "skip"), post(user, id, "complete")])
      expect(brief(await call)).toEqual([409, "NOT_STARTED"])
    expect((await post(user, id, "start")).status).toBe(201)
    expect((await post(user, id, "start")).status).toBe(200)
    expect(brief(await post(user, id, "complete"))).toEqual([409, "STEP_OUT_OF_ORDER"])
    expect(brief(await advance(1))).toEqual([409, "STEP_OUT_OF_ORDER"])
    expect((await advance(0, { a: 1, b: [2] })).status).toBe(200)
    expect((await advance(0, { b: [2], a: 1 })).data).toMatchObject({ current_step: 1, answers: { 0: { a: 1 } } })
    expect(brief(await advance(0, { a: 2, b: [2] }))).toEqual([409, "STEP_OUT_OF_ORDER"])
    expect((await advance(1)).status).toBe(200)
    expect(brief(await advance(2))).toEqual([409, "STEP_OUT_OF_ORDER"])
    expect((await post(user, id, "complete")).data).toMatchObject({ status: "completed" })
    expect((await post(user, id, "complete")).status).toBe(200)
    for (const call of [advance(1), advance(7), post(user, id, "skip")])
      expect(brief(await call)).toEqual([409, "ALREADY_COMPLETED"])
    expect((await post(user, id, "start")).data).toMatchObject({ status: "completed" })
  })

  it.each([
    ["no step", {}],
    ["a step that is no number", { step: "0" }],
    ["half a step", { step: 0.5 }],
    ["a step that is null", { step: null }],
    ["answers that are null", { step: 0, answers: null }],
    ["answers that are an array", { step: 0, answers: [] }],
    ["answers that are text", { step: 0, answers: "yes" }],
    ["answers of over 16 KB", { step: 0, answers: { a: "x".repeat(16 * 1024) } }],
    ["answers with NUL", { step: 0, answers: { a: "\u0000" } }],
    ["no body", undefined],
    ["a body that is an array", []],
  ])("refuses to advance with %s [G8.1, G8.3]", async (_, body) => {
    const user = await aUser(server.api, project)
    const id = await aFlow()
    await post(user, id, "start")
    expect(brief(await post(user, id, "advance", body))).toEqual([400, "INVALID_INPUT"])
    // `{"a":"…"}` has 8 bytes around its text.
    const most = { step: 0, answers: { a: "x".repeat(16 * 1024 - 8) } }
    expect((await post(user, id, "advance", most)).data).toMatchObject({ current_step: 1 })
  })

  it("keeps answers of 16 KB to each of 100 steps, and lists them [G8.1]", async () => {
    const user = await aUser(server.api, project)
    const id = await aFlow({ name: "Long", steps: Array(100).fill({}) })
    await post(user, id, "start")
    const answers = { a: "x".repeat(16 * 1024 - 8) }
    for (let step = 0; step < 100; step += 1)
      expect(await post(user, id, "advance", { step, answers })).toMatchObject({ status: 200 })
    const flows = await server.api.ok<ReadonlyArray<{ id: string; progress: { answers: object } }>>(
      ...(["GET", "/client/onboarding/flows", user.as] as const),
    )
    const listed = flows.find((shown) => shown.id === id)?.progress.answers ?? {}
    expect(Object.values(listed)).toEqual(Array(100).fill(answers))
  }, 60_000)

  it("lets one of two different answers at once through, on a real database [G8.3]", async () => {
    const id = await aFlow({ steps: [{}] })
    for (let round = 0; round < 5; round += 1) {
      const user = await aUser(server.api, project)
      const starts = await Promise.all([1, 2, 3].map(() => post(user, id, "start")))
      expect(starts.map(({ status }) => status).sort()).toEqual([200, 200, 201])
      const answers = await Promise.all(
        ["a", "a", "b"].map((answer) => post(user, id, "advance", { step: 0, answers: { answer } })),
      )
      const won = answers.filter(({ status }) => status === 200)
      const lost = answers.filter(({ status }) => status !== 200)
      expect(won.length + lost.length).toBe(3)
      expect([1, 2]).toContain(won.length)
      for (const answer of lost) expect(brief(answer)).toEqual([409, "STEP_OUT_OF_ORDER"])
      for (const answer of won) expect(answer.data).toEqual(won[0]?.data)
    }
  })

  it("shows a user nothing of others", async () => {
    const [ada, bob] = [await aUser(server.api, project), await aUser(server.api, project)]
    const id = await aFlow({ is_active: true })
    await post(ada, id, "start")
    await post(ada, id, "advance", { step: 0, answers: { secret: "ada" } })
    const flows = await server.api.ok<ReadonlyArray<{ id: string; progress: unknown }>>(
      ...(["GET", "/client/onboarding/flows", bob.as] as const),
    )
    expect(flows.find((shown) => shown.id === id)?.progress).toBeNull()
    expect((await post(bob, id, "start")).data).toMatchObject({ current_step: 0, answers: {} })
  })
})
