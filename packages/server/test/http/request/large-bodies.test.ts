import { Unauthorized } from "@hearth/core"
import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { largeBytes, makeLargeBodies, turnsBetween } from "../../../src/http/request/large-bodies.ts"
import { as, ask, noteId, projectId, sampleAccess, sampleApp } from "../sample-app.ts"

const notes = `/v1/admin/projects/${projectId}/notes`

/** Sends notes whose call waits until `open`, and answers how many calls of each title have begun. */
const heldApp = (access = sampleAccess) => {
  const gate = Deferred.makeUnsafe<void>()
  const begun = new Map<string, number>()
  const { core } = sampleApp()
  const note = (given: unknown) =>
    Effect.suspend(() => {
      const { title } = given as { title: string }
      begun.set(title.slice(0, 5), (begun.get(title.slice(0, 5)) ?? 0) + 1)
      return Effect.as(Deferred.await(gate), { id: noteId, title, at: new Date(0) })
    })
  const { app } = sampleApp({ core: { ...core, note }, access })
  const send = (headers: Readonly<Record<string, string>>, title: string) =>
    ask(app, "POST", notes, { headers, body: { title } })
  return { send, begun, open: Deferred.succeed(gate, undefined) }
}

const large = (name: string) => name.padEnd(largeBytes, ".")

describe("large bodies", () => {
  it("are done eight at a time for a caller, and keep no other and nothing small waiting", async () => {
    const { send, begun, open } = heldApp()
    const sent = [...Array(12).keys()].map(() => send(as.owner, large("owner")))
    const others = [send(as.owner, "small"), send(as.admin, large("admin"))]
    await expect.poll(() => Object.fromEntries(begun)).toEqual({ owner: 8, small: 1, admin: 1 })
    await Effect.runPromise(open)
    const answers = await Promise.all([...sent, ...others])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(begun.get("owner")).toBe(12)
  })

  it("are refused when the caller has lost the right while waiting", async () => {
    const removed = new Set<string>()
    const { send, begun, open } = heldApp({
      ...sampleAccess,
      roleIn: (project, developer) =>
        removed.has(developer) ? Effect.succeed(null) : sampleAccess.roleIn(project, developer),
    })
    const sent = [...Array(9).keys()].map(() => send(as.owner, large("owner")))
    await expect.poll(() => begun.get("owner")).toBe(8)
    removed.add("owner-token")
    await Effect.runPromise(open)
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses).toEqual([...Array(8).fill(201), 403])
    expect(begun.get("owner")).toBe(8)
  })

  it("are done also where the caller's token expires while they wait", async () => {
    let isExpired = false
    const { send, begun, open } = heldApp({
      ...sampleAccess,
      developer: (...given) => (isExpired ? Effect.fail(new Unauthorized()) : sampleAccess.developer(...given)),
    })
    const sent = Array.from({ length: 9 }, () => send(as.owner, large("owner")))
    await expect.poll(() => begun.get("owner")).toBe(8)
    isExpired = true
    await Effect.runPromise(open)
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(9).fill(201))
    expect((await send(as.owner, "small")).status).toBe(401)
  })

  it("that are refused leave the line", async () => {
    const { app } = sampleApp()
    const wrong = `{"title": 5, "more": "${"x".repeat(largeBytes)}"}`
    for (const body of Array(20).fill(wrong)) {
      const { status } = await ask(app, "POST", notes, { headers: as.owner, body })
      expect(status).toBe(400)
    }
    const { status } = await ask(app, "POST", notes, { headers: as.owner, body: { title: large("owner") } })
    expect(status).toBe(201)
  })

  it("are begun one by one, with turns of the event loop for others between them", async () => {
    const takeTurn = makeLargeBodies()
    let [turns, isOver] = [0, false]
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const begun: Array<number> = []
    const work = Effect.sync(() => void begun.push(turns))
    const callers = ["a", "b", "a", "c"]
    await Effect.runPromise(
      Effect.forEach(callers, (caller) => takeTurn(caller, largeBytes, work), { concurrency: "unbounded" }),
    )
    isOver = true
    const between = begun.slice(1).map((turn, index) => turn - (begun[index] ?? 0))
    expect(between.map((each) => each >= turnsBetween - 1)).toEqual([true, true, true])
  })

  it("of one caller are refused as busy beyond their bytes, until some are done", async () => {
    const takeTurn = makeLargeBodies({ atOnce: 1, bytes: 100 })
    const gate = Deferred.makeUnsafe<void>()
    const outcomes = await Effect.runPromise(
      Effect.gen(function* () {
        const turn = (caller: string, bytes: number) => takeTurn(caller, bytes, Deferred.await(gate))
        const held = yield* Effect.forkChild(turn("a", 60))
        yield* Effect.yieldNow
        const tooMuch = yield* Effect.flip(turn("a", 41))
        const waiting = yield* Effect.forkChild(turn("a", 40))
        const other = yield* Effect.forkChild(turn("b", 1_000))
        yield* Effect.yieldNow
        yield* Deferred.succeed(gate, undefined)
        yield* Effect.forEach([held, waiting, other], Fiber.join)
        yield* turn("a", 100)
        yield* Effect.exit(takeTurn("a", 100, Effect.die("broken")))
        yield* turn("a", 100)
        return [tooMuch.code, tooMuch.details]
      }),
    )
    expect(outcomes).toEqual(["TENANT_BUSY", { retry_after_seconds: 1 }])
  })
})
