import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Credentials } from "../harness/api.ts"
import { aProject, aStreak, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

/** A project with what its calls are about. */
interface Furnished extends TestProject {
  readonly streak: string
  readonly segment: string
  readonly user: TestUser
}

type Call = readonly [method: string, path: string, credentials: Credentials, body?: unknown]

/** How a call was answered. */
interface Answered {
  readonly what: string
  readonly retryAfter: string | null
  readonly status: number
  readonly ms: number
}

const theHold = "select pg_advisory_xact_lock(1751474546, 1869968482)"

describe("busy projects", () => {
  const harness = makeHarness()
  const environment = { DATA_DIR: harness.folder() }
  const sql = sqlIn(environment.DATA_DIR)
  let server: TestServer
  let quiet: Furnished

  const furnish = async (owner?: TestProject["owner"]): Promise<Furnished> => {
    const { api } = server
    const project = await aProject(api, owner)
    const rules = { operator: "AND", conditions: [{ event: "lesson_completed", op: "gte", count: 1 }] }
    const segment = await api.ok<{ id: string }>("POST", `${project.admin}/segments`, project.owner.as, {
      name: "Active",
      rules,
    })
    return { ...project, streak: await aStreak(api, project), segment: segment.id, user: await aUser(api, project) }
  }

  beforeAll(async () => {
    server = await harness.server(environment)
    quiet = await furnish()
  })
  afterAll(harness.clear, 60_000)

  const send = async ([method, path, credentials, body]: Call): Promise<Answered> => {
    const began = performance.now()
    const { status, code, headers } = await server.api.call(method, path, credentials, body)
    const what = `${method} ${path.split("/").slice(-2).join("/")} ${status} ${code ?? ""}`
    return { what, status, retryAfter: headers.get("retry-after"), ms: performance.now() - began }
  }

  /** One call of each kind: reads, ingest, qualify, a change of the definition, a deletion, an evaluation. */
  const mixed = ({ admin, owner, user, streak, segment }: Furnished, turn: number): ReadonlyArray<Call> => [
    ["GET", `${admin}/users?limit=5`, owner.as],
    ["GET", "/client/users/me", user.as],
    ["GET", `${admin}/streaks`, owner.as],
    ["POST", "/client/events", user.as, { event_name: "lesson_completed" }],
    ["POST", `${admin}/events`, owner.as, { app_user_id: user.id, event_name: "lesson_completed" }],
    ["POST", `/client/streaks/${streak}/qualify`, user.as, {}],
    ["PATCH", `${admin}/streaks/${streak}`, owner.as, { grace_period_hours: turn % 5 }],
    ["PATCH", "/client/users/me", user.as, { display_name: `Ada ${turn}` }],
    ["POST", `${admin}/segments/${segment}/evaluate`, owner.as],
  ]
  // The queue is given two seconds to answer, a connection to it one: a busy machine may take longer. What fails sooner is a fault.
  const isLate = ({ what, ms }: Answered) => what.endsWith("/evaluate 500 EVALUATE_FAILED") && ms > 900
  const listRefused = (answers: ReadonlyArray<Answered>) =>
    answers.filter((answer) => answer.status >= 300 && !isLate(answer))
  const everySuccess = (answers: ReadonlyArray<Answered>) =>
    expect(listRefused(answers).map(({ what }) => what)).toEqual([])
  const slowest = (answers: ReadonlyArray<Answered>) => Math.max(...answers.map(({ ms }) => ms))
  const isBusy = ({ status, retryAfter }: Answered) => status === 503 && Number(retryAfter) >= 1

  it("answer 100 mixed calls at once on one of them, and all calls of another", async () => {
    const busy = await furnish(quiet.owner)
    for (let round = 0; round < 3; round += 1) {
      const leaving = await Promise.all(Array.from({ length: 10 }, () => aUser(server.api, busy)))
      const calls = [
        ...Array.from({ length: 10 }, (_, turn) => mixed(busy, turn)).flat(),
        ...leaving.map(({ as }): Call => ["DELETE", "/client/users/me", as]),
      ]
      const answers = Promise.all(calls.map(send))
      for (let turn = 0; turn < 3; turn += 1) {
        const others = await Promise.all(mixed(quiet, turn).map(send))
        everySuccess(others)
        expect(slowest(others)).toBeLessThan(15_000)
      }
      const wrong = listRefused(await answers).filter((answer) => !isBusy(answer))
      expect(wrong.map(({ what }) => what)).toEqual([])
      expect((await answers).filter(({ status }) => status < 300).length).toBeGreaterThan(50)
    }
  })

  it.each([4, 10])("%i of them, whose hold is kept by a slow transaction, take nothing from another", async (count) => {
    const busy: Array<Furnished> = []
    for (let made = 0; made < count; made += 1) busy.push(await furnish(quiet.owner))
    const sessions = await Promise.all(
      busy.map(async ({ id, user }) => {
        const session = await sql.session(id)
        await session.run("begin")
        await session.run(theHold)
        await session.run(`select from app_users where id = '${user.id}' for no key update`)
        return session
      }),
    )
    let goesOn = true
    const refused: Array<Answered> = []
    const insist = async (calls: ReadonlyArray<Call>) => {
      while (goesOn) for (const call of calls) refused.push(await send(call))
    }
    const callers = busy.flatMap((project) => {
      const [, , , , , qualify, patch, rename] = mixed(project, 0)
      const calls = [qualify, patch, rename].filter((call) => call !== undefined)
      return Array.from({ length: 10 }, (_, at) => insist([...calls.slice(at % 3), ...calls.slice(0, at % 3)]))
    })
    const other: Array<Answered> = []
    // Until a lock was waited for too long.
    for (let turn = 0; turn < 8 || (turn < 500 && !refused.some(isBusy)); turn += 1) {
      other.push(...(await Promise.all(mixed(quiet, turn).map(send))))
      // Reads and events of the busy ones get through, too.
      const through = await Promise.all(busy.flatMap((project) => mixed(project, turn).slice(0, 5)).map(send))
      everySuccess(through)
    }
    goesOn = false
    await Promise.all(sessions.map((session) => session.end()))
    await Promise.all(callers)
    everySuccess(other)
    expect(slowest(other)).toBeLessThan(15_000)
    expect(refused.filter(isBusy).length).toBeGreaterThan(0)
    expect(refused.filter((answer) => answer.status >= 300 && !isBusy(answer)).map(({ what }) => what)).toEqual([])
    const metrics = (await (await server.api.root("/metrics")).text()).split("\n")
    const shown = metrics.filter((line) => /^hearth_database_(line|refused_total)\{databases="tenants"/.test(line))
    expect(shown).toContainEqual(expect.stringMatching(/line\{databases="tenants"\} \d+$/))
    expect(shown).toContainEqual(expect.stringMatching(/reason="lock"\} [1-9]/))
  })
})
