import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aStreak, aUser, daysAgo, noonZone, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Answer {
  readonly inserted: number
  readonly skipped: number
  readonly tracked: number
  readonly effects?: {
    readonly streaks: ReadonlyArray<object>
    readonly xp: { readonly awarded: number; readonly total: number }
  } | null
  readonly replayed?: boolean
}

describe("what an event did, from the outside [G9.1]", () => {
  const harness = makeHarness()
  const zone = noonZone()
  const environment = { DATA_DIR: harness.folder() }
  let server: TestServer
  let project: TestProject
  let streak: string

  beforeAll(async () => {
    server = await harness.server(environment)
    project = await aProject(server.api)
    streak = await aStreak(server.api, project, { qualifying_event: "lesson", freeze_enabled: true, max_freezes: 2 })
    const rules = [{ event_name: "lesson", amount: 10, daily_cap: null }]
    await server.api.ok("PUT", `${project.admin}/xp/rules`, project.owner.as, { rules })
    const levels = [{ name: "Bronze", xp_required: 5 }]
    await server.api.ok("PUT", `${project.admin}/xp/levels`, project.owner.as, { levels })
  })
  afterAll(harness.clear)

  const post = (body: object) =>
    server.api.ok<Answer>("POST", `${project.admin}/events?effects=true`, project.owner.as, body)

  /** Posts an event, and answers its effects and whether null is due to the five seconds that an answer waits at most. */
  const postTimed = async (body: object) => {
    const began = performance.now()
    const { inserted, effects } = await post(body)
    return { inserted, effects, isLate: effects === null && performance.now() - began > 4_500 }
  }

  it("is answered to apps and to developers, and again for a repeated event_id", async () => {
    const user = await aUser(server.api, project, zone.name)
    const track = (body: object) => server.api.ok<Answer>("POST", "/client/events?effects=true", user.as, body)
    const event = { event_name: "lesson", event_id: randomUUID(), occurred_at: daysAgo(2) }
    const first = await track(event)
    expect(first).toEqual({
      ...{ inserted: 1, skipped: 0, tracked: 1 },
      effects: {
        streaks: [{ streak_definition_id: streak, before: 0, after: 1, status: "frozen", freezes_used: 0 }],
        achievements: [],
        xp: { awarded: 10, total: 10, level: { name: "Bronze", xp_required: 5 } },
        leaderboards: [],
      },
    })
    expect(await track(event)).toEqual({
      ...{ inserted: 0, skipped: 1, tracked: 0, replayed: true },
      effects: first.effects,
    })
    const { effects } = await post({ app_user_id: user.id, event_name: "lesson" })
    expect(effects).toMatchObject({
      streaks: [{ streak_definition_id: streak, before: 1, after: 2, status: "active", freezes_used: 1 }],
      xp: { awarded: 10, total: 20 },
    })
    const plain = { inserted: 1, skipped: 0, tracked: 1 }
    for (const query of ["", "?effects=false"]) {
      expect(await server.api.ok("POST", `/client/events${query}`, user.as, { event_name: "lesson" })).toEqual(plain)
    }
  })

  it("is of a single event only", async () => {
    const user = await aUser(server.api, project)
    const code = async (path: string, body: object, as = user.as) =>
      (await server.api.call("POST", path, as, body)).code
    const events = [{ app_user_id: user.id, event_name: "lesson" }]
    expect(await code("/client/events?effects=true", { events })).toBe("INVALID_EVENT")
    expect(await code(`${project.admin}/events?effects=true`, { events }, project.owner.as)).toBe("INVALID_EVENT")
    expect(await code("/client/events?effects=maybe", { event_name: "lesson" })).toBe("INVALID_EVENT")
    expect(await code("/client/events?effects=true", { event_name: "xp_awarded" })).toBe("INVALID_EVENT_NAME")
  })

  it("holds for many calls at once: every event is counted once, and everyone is answered", async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => aUser(server.api, project, zone.name)))
    const postUntilHandled = async (event: object) => {
      let answer = await postTimed(event)
      while (answer.isLate) answer = await postTimed(event)
      return answer.effects
    }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        postUntilHandled({ app_user_id: users[at % 5]?.id, event_name: "lesson", event_id: randomUUID() }),
      ),
    )
    expect(answers.every((effects) => effects !== null && effects !== undefined)).toBe(true)
    expect(answers.reduce((sum, effects) => sum + (effects?.xp.awarded ?? 0), 0)).toBe(400)
  })

  it("is answered to 230 at once, null to some, and keeps nobody from other calls", async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => aUser(server.api, project, zone.name)))
    const calls = Array.from({ length: 230 }, (_, call) =>
      postTimed({ app_user_id: users[call % 10]?.id, event_name: "lesson" }),
    )
    const me = await Promise.all(users.map(({ as }) => server.api.ok("GET", "/client/users/me", as)))
    expect(me).toHaveLength(10)
    const answers = await Promise.all(calls)
    expect(answers.every(({ inserted }) => inserted === 1)).toBe(true)
    expect(answers.filter(({ effects, isLate }) => effects !== null || isLate).length).toBeGreaterThanOrEqual(200)
  })

  it("is committed before it is answered: what was answered is there after the server was killed", async () => {
    const user = await aUser(server.api, project, zone.name)
    const answered: Array<{ readonly id: string; readonly total: number }> = []
    const loop = async () => {
      for (;;) {
        const id = randomUUID()
        const answer = await post({ app_user_id: user.id, event_name: "lesson", event_id: id }).catch(() => null)
        if (answer === null) return
        answered.push({ id, total: answer.effects?.xp.total ?? 0 })
      }
    }
    const loops = Promise.all([loop(), loop(), loop()])
    await expect.poll(() => answered.length).toBeGreaterThan(20)
    await server.end("SIGKILL")
    await loops
    server = await harness.server(environment)
    const { total } = await server.api.ok<{ total: number }>(
      "GET",
      `${project.admin}/users/${user.id}/xp`,
      project.owner.as,
    )
    expect(total).toBeGreaterThanOrEqual(Math.max(...answered.map((each) => each.total)))
    for (const { id } of answered.slice(-5)) {
      const again = await post({ app_user_id: user.id, event_name: "lesson", event_id: id })
      expect(again).toMatchObject({ skipped: 1, replayed: true })
    }
  })
})
