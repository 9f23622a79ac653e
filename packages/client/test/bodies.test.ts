import { describe, expect, it, vi } from "vitest"
import { createAdminClient, HearthError } from "../src/index.ts"
import { useWorld } from "./world.ts"

const exported = "GET /admin/projects/1/users/export"
const projects = "GET /admin/projects"
const kinds = ["text", "blob", "arrayBuffer", "stream"] as const

const world = useWorld()

/** A success with a first piece of its body, and what comes after that. */
const anAnswer = (type: string, rest: (body: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (body) => body.enqueue(new TextEncoder().encode("id,name\n")),
      pull: rest,
    }),
    { headers: { "content-type": type } },
  )
/** Reads an export to its end. */
const read = async (parseAs: (typeof kinds)[number], signal: AbortSignal): Promise<unknown> => {
  const { api } = createAdminClient({ url: "http://hearth.test", token: "t", timeout: 500, fetch: world.service.fetch })
  const init = { params: { path: { projectId: "1" } }, signal }
  if (parseAs !== "stream") return api.GET("/admin/projects/{projectId}/users/export", { ...init, parseAs })
  const body = await api.GET("/admin/projects/{projectId}/users/export", { ...init, parseAs })
  return new Response(body).text()
}
const settle = (promise: Promise<unknown>) => {
  const seen = vi.fn()
  promise.then(seen, seen)
  return seen
}

describe("a download", () => {
  it.each(kinds)("ends with the caller's signal, and may take longer than a call: %s", async (kind) => {
    const controller = new AbortController()
    const cancel = vi.fn()
    const body = new ReadableStream({ cancel })
    world.service.fail(exported, new Response(body, { headers: { "content-type": "text/csv" } }))
    const seen = settle(read(kind, controller.signal))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(seen).not.toHaveBeenCalled()
    controller.abort("enough")
    await vi.advanceTimersByTimeAsync(0)
    expect(seen.mock.calls).toEqual([["enough"]])
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  it.each(kinds)("rejects with a HearthError where it is cut: %s", async (kind) => {
    world.service.fail(
      exported,
      anAnswer("text/csv", (body) => body.error(new TypeError("terminated"))),
    )
    const error = await read(kind, new AbortController().signal).catch((cause) => cause)
    expect(error).toBeInstanceOf(HearthError)
    expect(error).toMatchObject({ code: "NETWORK_ERROR", status: 0, cause: { message: "terminated" } })
  })

  it.each(kinds)("leaves nothing at the signal once it is read: %s", async (kind) => {
    const { signal } = new AbortController()
    const [add, remove] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")]
    world.service.fail(
      exported,
      anAnswer("text/csv", (body) => body.close()),
    )
    await read(kind, signal)
    const kept = add.mock.calls.filter(([, listener]) => !remove.mock.calls.some(([, gone]) => gone === listener))
    expect(kept.filter(([, listener]) => String(listener).includes("cancel"))).toEqual([])
  })
})

describe("the answer to a call that wants JSON", () => {
  const call = (signal = new AbortController().signal) => {
    const options = { url: "http://hearth.test", token: "t", timeout: 500, retries: 0, fetch: world.service.fetch }
    return createAdminClient(options).api.GET("/admin/projects", { signal })
  }

  it.each([
    ["a page", "text/html"],
    ["JSON that is none", "application/json"],
  ])("is a HearthError where it is %s", async (_what, type) => {
    world.service.fail(projects, new Response("<h1>Welcome</h1>", { headers: { "content-type": type } }))
    const error = await call().catch((cause) => cause)
    expect(error).toBeInstanceOf(HearthError)
    expect(error).toMatchObject({ code: "UNKNOWN_ANSWER", status: 200 })
  })

  it("may be nothing at all", async () => {
    world.service.fail(projects, new Response(null, { status: 204 }))
    expect(await call()).toBe(undefined)
  })

  it.each([
    ["text/html", "UNKNOWN_ANSWER"],
    ["application/json", "TIMEOUT"],
  ])("has to be there in time, and ends with the caller's signal: %s", async (type, code) => {
    // As a platform does it: the signal of a request ends its body.
    world.service.fetch = async (_input, init) =>
      anAnswer(type, (body) => {
        const { signal } = init ?? {}
        return new Promise<void>((resolve) => {
          signal?.addEventListener("abort", () => resolve(body.error(signal.reason)))
        })
      })
    const late = settle(call())
    await vi.advanceTimersByTimeAsync(500)
    expect(late.mock.calls).toMatchObject([[{ code }]])
    const controller = new AbortController()
    const aborted = settle(call(controller.signal))
    await vi.advanceTimersByTimeAsync(100)
    controller.abort("enough")
    await vi.advanceTimersByTimeAsync(0)
    expect(aborted.mock.calls).toEqual([["enough"]])
  })
})
