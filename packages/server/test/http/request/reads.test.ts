import { InvalidToken } from "@hearth/core"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeReads } from "../../../src/http/request/reads.ts"
import { ok } from "../../../src/http/response/answers.ts"
import { defineRoutes } from "../../../src/http/routing/route.ts"
import { as, ask, noteId, projectId, sampleAccess, sampleApp } from "../sample-app.ts"
import type { SampleCore } from "../sample-routes.ts"

const own = `/v1/client/notes/${noteId}`
const list = `/v1/admin/projects/${projectId}/notes?limit=20&offset=0`

/** Reads notes, each of which waits until `open`, and counts the reads that have begun. */
const heldApp = (access: Partial<typeof sampleAccess> = {}) => {
  const gate = Deferred.makeUnsafe<void>()
  const begun = { user: 0, developer: 0 }
  const note = (given: unknown) =>
    Effect.suspend(() => {
      begun["user_id" in (given as object) ? "user" : "developer"] += 1
      return Effect.as(Deferred.await(gate), { id: noteId, title: "a note", at: new Date(0) })
    })
  const { app } = sampleApp({ core: { ...sampleApp().core, note }, access: { ...sampleAccess, ...access } })
  const send = (times: number, path: string, headers: Readonly<Record<string, string>>, method = "GET") =>
    Array.from({ length: times }, () => ask(app, method, path, { headers, body: method === "GET" ? undefined : {} }))
  return { send, begun, open: () => Effect.runPromise(Deferred.succeed(gate, undefined)) }
}

const statuses = async (answers: ReadonlyArray<Promise<Response>>) =>
  (await Promise.all(answers)).map(({ status }) => status)

afterEach(() => {
  vi.useRealTimers()
})

describe("reads", () => {
  it("are done eight at a time for a caller, and keep no other caller waiting", async () => {
    const { send, begun, open } = heldApp()
    const [users, developers] = [send(13, own, as.user), send(13, list, as.admin)]
    await expect.poll(() => begun).toEqual({ user: 8, developer: 8 })
    const other = send(13, list, as.viewer)
    await expect.poll(() => begun).toEqual({ user: 8, developer: 16 })
    await open()
    expect(new Set(await statuses([...users, ...developers, ...other]))).toEqual(new Set([200]))
    expect(begun).toEqual({ user: 13, developer: 26 })
  })

  it("that have a body are among them, and are left where the caller is", async () => {
    const held = { begun: 0, left: 0 }
    const leave = Effect.sync(() => {
      held.left += 1
    })
    const read = Effect.suspend(() => {
      held.begun += 1
      return Effect.onInterrupt(Effect.never, () => leave)
    })
    const preview = defineRoutes<SampleCore>()("POST", "/admin/projects/:projectId/notes/preview", {
      id: "notes.preview",
      summary: "Shows what would be noted",
      description: "It shows what would be noted, for tests.",
      access: "developer",
      role: "viewer",
      body: "json",
      returns: ok(Schema.String),
      run: () => read,
    })
    const { app } = sampleApp({ groups: [{ title: "Notes", description: "Notes, for tests.", routes: [preview] }] })
    const caller = new AbortController()
    for (let times = 0; times < 13; times += 1)
      void ask(app, "POST", `/v1/admin/projects/${projectId}/notes/preview`, {
        ...{ headers: as.viewer, body: {}, signal: caller.signal },
      })
    await expect.poll(() => held.begun).toBe(8)
    await new Promise((resolve) => setImmediate(resolve))
    expect(held.begun).toBe(8)
    caller.abort()
    await expect.poll(() => held.begun - held.left).toBe(0)
  })

  it("do not keep writes waiting", async () => {
    const { send, begun, open } = heldApp()
    const reads = send(13, list, as.admin)
    await expect.poll(() => begun.developer).toBe(8)
    const writes = send(13, `/v1/admin/projects/${projectId}/notes/${noteId}`, as.admin, "DELETE")
    await expect.poll(() => begun.developer).toBe(21)
    await open()
    expect(new Set(await statuses([...reads, ...writes]))).toEqual(new Set([200]))
  })

  it("are done four at a time for ten seconds after a slow one", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    const takeTurn = makeReads()
    const gates: Array<Deferred.Deferred<void>> = []
    const read = Effect.suspend(() => {
      const gate = Deferred.makeUnsafe<void>()
      gates.push(gate)
      return Deferred.await(gate)
    })
    const running: Array<Promise<void>> = []
    const send = (times: number) => {
      for (let sent = 0; sent < times; sent += 1) running.push(Effect.runPromise(takeTurn("caller", read, Effect.void)))
    }
    /** Ends the reads that have begun, after so long, and answers how many there were. */
    const end = async (millis: number) => {
      vi.advanceTimersByTime(millis)
      const ended = gates.splice(0)
      for (const gate of ended) await Effect.runPromise(Deferred.succeed(gate, undefined))
      return ended.length
    }
    send(20)
    expect([await end(49), await end(50), await end(1), await end(1)]).toEqual([8, 8, 4, 0])
    send(8)
    expect([await end(9_997), await end(1)]).toEqual([4, 4])
    send(8)
    expect(await end(10)).toBe(4)
    expect(await end(10)).toBe(4)
    vi.advanceTimersByTime(10_001)
    send(8)
    expect(await end(1)).toBe(8)
    await Promise.all(running)
  })

  it("are refused when the caller has lost the right while waiting for a second", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    let isRevoked = false
    const { send, begun, open } = heldApp({
      liveSession: (caller) => (isRevoked ? Effect.fail(new InvalidToken()) : Effect.succeed(caller)),
    })
    const sent = send(10, own, as.user)
    await expect.poll(() => begun.user).toBe(8)
    isRevoked = true
    vi.advanceTimersByTime(1_000)
    await open()
    expect(await statuses(sent)).toEqual([...Array(8).fill(200), 401, 401])
    expect(begun.user).toBe(8)
  })

  it("are refused where too many of the caller wait, and taken again afterwards", async () => {
    const takeTurn = makeReads({ atOnce: 1, slowAtOnce: 1, slowMillis: 50, waiting: 2 })
    const gate = Deferred.makeUnsafe<void>()
    const read = takeTurn("caller", Deferred.await(gate), Effect.void)
    const fibers = [1, 2, 3].map(() => Effect.runFork(read))
    expect(await Effect.runPromise(Effect.flip(read))).toMatchObject({ code: "TENANT_BUSY" })
    expect(await Effect.runPromise(takeTurn("another", Effect.succeed("done"), Effect.void))).toBe("done")
    await Effect.runPromise(Fiber.interrupt(fibers[1] as never))
    fibers.push(Effect.runFork(read))
    await Effect.runPromise(Deferred.succeed(gate, undefined))
    await Effect.runPromise(Effect.forEach([fibers[0], fibers[2], fibers[3]], (fiber) => Fiber.join(fiber as never)))
    expect(await Effect.runPromise(takeTurn("caller", Effect.succeed("done"), Effect.void))).toBe("done")
  })
})
