import { aStreakDefinition, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openNode, type TestNode } from "../nodes.ts"
import { ids, type TestServer, testServer } from "../server.ts"

const { id: _id, created_at: _createdAt, ...streak } = aStreakDefinition({ qualifying_event: "lesson" })
const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)

let server: TestServer
let nodes: ReadonlyArray<TestNode>
beforeAll(async () => {
  server = testServer()
  nodes = [await openNode(server), await openNode(server)]
})
afterAll(() => server.close())

it("two processes, removals, changes and rebuilds while events arrive: at the end a rebuild would change nothing [G3.6]", async () => {
  const [one, two] = nodes
  if (one === undefined || two === undefined) throw new Error("Two were opened.")
  const signup = { email: `${crypto.randomUUID()}@example.com`, password: "correct horse" }
  const { developer } = await run(one.core.developers.signup(signup))
  const settings = { name: "Races", bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }
  const { id: project } = await run(one.core.projects.create(developer.id, settings))
  await run(one.core.streaks.create(project, streak))
  const create = (given: object) =>
    run(
      one.core.leaderboards.create(project, {
        ...{ name: "B", metric: "custom", period: "all_time", max_entries: 5, custom_event: "lesson:points", ...given },
      }),
    )
  const boards = [
    await create({}),
    await create({ period: "daily" }),
    await create({ metric: "streak_length", custom_event: null, period: "weekly" }),
    await create({ metric: "streak_length", custom_event: null }),
  ]
  const [first, second] = boards
  if (first === undefined || second === undefined) throw new Error("Four were made.")
  const users = Array.from({ length: 60 }, () => aUser({ id: ids.uuid(), anonymous_id: ids.uuid() }))
  await run(one.tenants.transact(project, (db) => Effect.forEach(users, (user) => Effect.orDie(db.users.insert(user)))))
  const record = (node: TestNode, round: number) => {
    const events = users.flatMap(({ id }, at) =>
      at % 3 === round % 3 && at >= round
        ? [
            {
              ...{ app_user_id: id, event_name: "lesson", properties: { points: (at - 20) / 10 } },
              occurred_at: new Date(Date.now() - ((at + round) % 9) * 86_400_000).toISOString(),
            },
          ]
        : [],
    )
    return node.core.events.record(project, { events })
  }
  const process = (node: TestNode) => node.core.background.process(project)
  for (let round = 0; round < 12; round += 1) {
    const changes = round % 2 === 0 ? { custom_event: "lesson" } : { custom_event: "lesson:points" }
    const together: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
      record(one, round),
      process(one),
      process(two),
      one.core.leaderboards.rebuild(project, first.id),
      two.core.leaderboards.update(project, second.id, changes),
      two.core.users.remove(project, users[round]?.id ?? ""),
      one.core.users.change(project, users[59 - (round % 4)]?.id ?? "", { is_disabled: round % 3 === 0 }),
      two.core.leaderboards.entries(project, first.id, { limit: 50, offset: 0 }),
      record(two, round + 1),
    ]
    const exits = await run(Effect.forEach(together, Effect.exit, { concurrency: "unbounded" }))
    // An event of a user who was just removed is refused; nothing else is.
    for (const exit of exits) if (exit._tag === "Failure") expect(String(exit.cause)).toContain("app_user_id")
  }
  const isSettled = async () => {
    await run(process(one))
    const waiting = await run(one.tenants.read(project, (db) => db.outbox.waiting()))
    const found = await Promise.all(boards.map(({ id }) => run(two.core.leaderboards.get(project, id))))
    return waiting.entries === 0 && found.every(({ filling }) => !filling)
  }
  await expect.poll(isSettled).toBe(true)
  const differences = await Promise.all(
    boards.map(({ id }) => run(two.core.leaderboards.countDifferences(project, id))),
  )
  expect(differences.map((each) => each.differences)).toEqual([0, 0, 0, 0])
  const { rows, total } = await run(two.core.leaderboards.entries(project, first.id, { limit: 50, offset: 0 }))
  expect(total).toBeGreaterThan(10)
  expect(rows.filter(({ rank }) => rank !== null).length).toBeGreaterThanOrEqual(5)
  expect(await run(one.core.deadLetters.list(project, { limit: 9, offset: 0 }))).toMatchObject({ total: 0 })
})
