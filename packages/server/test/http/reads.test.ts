import { InvalidToken } from "@hearth/core"
import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { makeReads } from "../../src/http/request/reads.ts"
import { as, ask, noteId, projectId, sampleAccess, sampleApp } from "./sample-app.ts"

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

describe("reads", () => {
  it("are done four at a time for a caller, and keep no other caller waiting", async () => {
    const { send, begun, open } = heldApp()
    const [users, developers] = [send(9, own, as.user), send(9, list, as.admin)]
    await expect.poll(() => begun).toEqual({ user: 4, developer: 4 })
    const other = send(9, list, as.viewer)
    await expect.poll(() => begun).toEqual({ user: 4, developer: 8 })
    await open()
    expect(new Set(await statuses([...users, ...developers, ...other]))).toEqual(new Set([200]))
    expect(begun).toEqual({ user: 9, developer: 18 })
  })

  it("do not keep writes waiting", async () => {
    const { send, begun, open } = heldApp()
    const reads = send(9, list, as.admin)
    await expect.poll(() => begun.developer).toBe(4)
    const writes = send(9, `/v1/admin/projects/${projectId}/notes/${noteId}`, as.admin, "DELETE")
    await expect.poll(() => begun.developer).toBe(13)
    await open()
    expect(new Set(await statuses([...reads, ...writes]))).toEqual(new Set([200]))
  })

  it("are refused when the caller has lost the right while waiting", async () => {
    let isRevoked = false
    const { send, begun, open } = heldApp({
      liveSession: (caller) => (isRevoked ? Effect.fail(new InvalidToken()) : Effect.succeed(caller)),
    })
    const sent = send(6, own, as.user)
    await expect.poll(() => begun.user).toBe(4)
    isRevoked = true
    await open()
    expect(await statuses(sent)).toEqual([200, 200, 200, 200, 401, 401])
    expect(begun.user).toBe(4)
  })

  it("are refused where too many of the caller wait, and taken again afterwards", async () => {
    const takeTurn = makeReads({ atOnce: 1, waiting: 2 })
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
