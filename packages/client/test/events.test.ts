import { describe, expect, it, vi } from "vitest"
import type { HearthClient, HearthStorage } from "../src/index.ts"
import { stubBrowser } from "./fake-browser.ts"
import { refusal } from "./fake-service.ts"
import { useWorld } from "./world.ts"

const send = "POST /client/events"

const world = useWorld()
const { aClient } = world
const names = () => world.service.events.map(({ event_name }) => event_name)
/** Tracks events with these names. */
const trackAll = (hearth: HearthClient, ...all: ReadonlyArray<string>) => all.map((name) => hearth.track(name))
const sizes = () => world.service.calls(send).map(({ body }) => body.events.length)

describe("a tracked event", () => {
  it("has its id and its time at once, and what was said about it then", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    const properties = { score: 1 }
    const event_id = hearth.track("lesson_completed", properties)
    const occurred_at = new Date().toISOString()
    properties.score = 2
    vi.advanceTimersByTime(1_000)
    await hearth.flush()
    const expected = { event_id, event_name: "lesson_completed", properties: { score: 1 }, occurred_at }
    expect(world.service.calls(send)[0]?.body).toEqual({ events: [expected] })
    expect(event_id).toMatch(/^[\da-f-]{36}$/)
  })

  it("is sent with others: after 5 seconds, or as soon as there are 20", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    trackAll(hearth, "a", "b")
    await vi.advanceTimersByTimeAsync(4_999)
    expect(sizes()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(sizes()).toEqual([2])
    trackAll(hearth, ...Array<string>(20).fill("c"))
    await vi.advanceTimersByTimeAsync(0)
    expect(sizes()).toEqual([2, 20])
    trackAll(hearth, ...Array<string>(250).fill("d"))
    await hearth.flush()
    expect(sizes()).toEqual([2, 20, 100, 100, 50])
  })

  it("survives a reload, and counts once", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    world.service.state.isAway = true
    trackAll(hearth, "a", "b")
    await vi.advanceTimersByTimeAsync(10_000)
    hearth.close()
    world.service.state.isAway = false
    world.service.fail(send, "answer lost")
    aClient()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sizes()).toEqual([2, 2])
    expect(names()).toEqual(["a", "b"])
    expect(world.storage.getItem("hearth.key.events.0")).toBe(null)
  })

  it("is written before the turn in which it was tracked ends", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    await hearth.flush()
    trackAll(hearth, "a", "b")
    await null
    expect(String(world.storage.getItem("hearth.key.events.0"))).toMatch(/"a".*"b"/)
  })

  it.each([
    ["all", 2],
    ["index", 3],
  ] as const)(
    "that is refused keeps no others back, and is reported, where the service says %s",
    async (says, calls) => {
      const onError = vi.fn()
      const hearth = aClient({ onError })
      await hearth.signInAnonymously()
      world.service.state.says = says
      world.service.state.badNames = new Set(["xp_awarded"])
      const ids = trackAll(hearth, "a", "xp_awarded", "b", "xp_awarded", "c")
      await hearth.flush()
      expect(names()).toEqual(["a", "b", "c"])
      expect(onError.mock.calls.map(([{ code }, event]) => [code, event.event_id])).toEqual([
        ["INVALID_EVENT_NAME", ids[1]],
        ["INVALID_EVENT_NAME", ids[3]],
      ])
      expect(world.service.arrived.filter(({ call }) => call === send)).toHaveLength(calls)
    },
  )

  it("that is refused is found, where the service does not say which it is", async () => {
    const onError = vi.fn()
    const hearth = aClient({ onError })
    await hearth.signInAnonymously()
    world.service.state.badNames = new Set(["bad"])
    world.service.state.says = "none"
    world.service.fail(send, refusal(413, "PAYLOAD_TOO_LARGE"))
    trackAll(hearth, "a", "b", "bad", "c", "bad", "d", "e")
    await hearth.flush()
    expect(names()).toEqual(["a", "b", "c", "d", "e"])
    expect(onError).toHaveBeenCalledTimes(2)
  })

  it("that is no JSON is reported, and does no harm", async () => {
    const onError = vi.fn()
    const hearth = aClient({ onError })
    await hearth.signInAnonymously()
    hearth.track("a", { amount: 1n })
    hearth.track("never", {}, { occurredAt: new Date(Number.NaN) })
    hearth.track("b")
    await hearth.flush()
    expect(names()).toEqual(["b"])
    expect(onError.mock.calls.map(([{ code }]) => code)).toEqual(["NOT_JSON", "NOT_JSON"])
  })

  it("has the right time where the clock of the device is wrong", async () => {
    world.service.state.skew = 3 * 86_400_000
    const hearth = aClient()
    hearth.track("before_any_answer")
    await hearth.signInAnonymously()
    hearth.track("after_it")
    await hearth.flush()
    const late = world.service.events.map(
      ({ occurred_at }) => Date.parse(occurred_at) - Date.now() - world.service.state.skew,
    )
    expect(names().sort()).toEqual(["after_it", "before_any_answer"])
    for (const difference of late) expect(Math.abs(difference)).toBeLessThan(2_000)
  })

  it("that is too old is set aside", async () => {
    const onError = vi.fn()
    const hearth = aClient({ onError })
    await hearth.signInAnonymously()
    hearth.track("old", {}, { occurredAt: new Date(0) })
    hearth.track("new")
    await hearth.flush()
    expect(names()).toEqual(["new"])
    expect(onError.mock.calls.map(([{ code }]) => code)).toEqual(["INVALID_OCCURRED_AT"])
  })
})

describe("events that cannot be sent", () => {
  it("are tried again, later each time", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    hearth.track("a")
    world.service.fail(send, ...Array<"lost">(6).fill("lost"))
    await vi.advanceTimersByTimeAsync(5_000)
    const times: Array<number> = []
    for (let calls = 1; calls < 7; calls++) {
      const begun = Date.now()
      while (world.service.calls(send).length === calls) await vi.advanceTimersByTimeAsync(100)
      times.push(Date.now() - begun)
    }
    for (const [at, time] of times.entries()) {
      expect(time).toBeGreaterThanOrEqual(500 * 2 ** at)
      expect(time).toBeLessThanOrEqual(1_000 * 2 ** at + 100)
    }
    expect(names()).toEqual(["a"])
  })

  it("wait as long as the service says, whatever is tracked meanwhile", async () => {
    const { emit } = stubBrowser()
    const hearth = aClient()
    await hearth.signInAnonymously()
    hearth.track("a")
    world.service.fail(send, refusal(429, "RATE_LIMIT_EXCEEDED", null, { "retry-after": "60" }))
    await expect(hearth.flush()).rejects.toMatchObject({ retryAfter: 60 })
    trackAll(hearth, ...Array<string>(30).fill("b"))
    emit("online")
    await vi.advanceTimersByTimeAsync(59_000)
    expect(sizes()).toEqual([1])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sizes()).toEqual([1, 31])
  })

  it("wait as long as the service says, also where a try in between meets no network", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    hearth.track("a")
    world.service.fail(send, refusal(429, "RATE_LIMIT_EXCEEDED", null, { "retry-after": "8" }), "lost")
    await expect(hearth.flush()).rejects.toMatchObject({ retryAfter: 8 })
    await expect(hearth.flush()).rejects.toMatchObject({ code: "NETWORK_ERROR" })
    await vi.advanceTimersByTimeAsync(7_999)
    expect(sizes()).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect(names()).toEqual(["a"])
  })

  it("do not wait for what the service said before it took some", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    hearth.track("a")
    world.service.fail(send, refusal(429, "RATE_LIMIT_EXCEEDED", null, { "retry-after": "60" }))
    await expect(hearth.flush()).rejects.toMatchObject({ retryAfter: 60 })
    await hearth.flush()
    hearth.track("b")
    world.service.fail(send, "lost")
    await expect(hearth.flush()).rejects.toMatchObject({ code: "NETWORK_ERROR" })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(names()).toEqual(["a", "b"])
  })

  it.each([
    ["a month", "2592000"],
    ["a date, and the clock of the device stands at 1970", "Sat, 28 Nov 2026 10:00:00 GMT"],
  ])("wait for an hour at most, where the service says %s", async (_what, retryAfter) => {
    vi.setSystemTime(0)
    const hearth = aClient()
    await hearth.signInAnonymously()
    hearth.track("a")
    world.service.fail(send, refusal(429, "RATE_LIMIT_EXCEEDED", null, { "retry-after": retryAfter }))
    await expect(hearth.flush()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" })
    await vi.advanceTimersByTimeAsync(3_599_000)
    expect(sizes()).toEqual([1])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sizes()).toEqual([1, 1])
    expect(names()).toEqual(["a"])
  })

  it("are sent as soon as the network is back", async () => {
    const { emit } = stubBrowser()
    const hearth = aClient()
    await hearth.signInAnonymously()
    hearth.track("a")
    world.service.state.isAway = true
    await vi.advanceTimersByTimeAsync(120_000)
    world.service.state.isAway = false
    emit("online")
    await vi.advanceTimersByTimeAsync(0)
    expect(names()).toEqual(["a"])
  })

  it("are not overwritten where the storage cannot be read at the start", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    world.service.state.isAway = true
    trackAll(hearth, "a")
    await vi.advanceTimersByTimeAsync(1_000)
    hearth.close()
    let isLocked = true
    const read = (key: string) => (isLocked ? Promise.reject(new Error("locked")) : world.storage.getItem(key))
    const next = aClient({ storage: { ...world.storage, getItem: read } })
    await vi.advanceTimersByTimeAsync(2_000)
    trackAll(next, "b")
    await vi.advanceTimersByTimeAsync(2_000)
    expect(String(world.storage.getItem("hearth.key.events.0"))).toMatch(/"a"/)
    isLocked = false
    trackAll(next, "c")
    await vi.advanceTimersByTimeAsync(2_000)
    expect(String(world.storage.getItem("hearth.key.events.0"))).toMatch(/"a".*"b".*"c"/)
  })

  it("do not make room for one that is larger than all that may wait: that is dropped alone", async () => {
    const onError = vi.fn()
    const hearth = aClient({ onError, events: { maxBytes: 1_000 } })
    await hearth.signInAnonymously()
    trackAll(hearth, "a", "b")
    const id = hearth.track("large", { text: "x".repeat(1_000) })
    expect(onError.mock.calls.map(([{ code }, { event_id }]) => [code, event_id])).toEqual([["QUEUE_FULL", id]])
    await hearth.flush()
    expect(names()).toEqual(["a", "b"])
  })

  const portal = "<h1>Accept our terms</h1>"
  const html = (status: number) => new Response(portal, { status, headers: { "content-type": "text/html" } })
  it.each([
    ["a page of the network", html(200)],
    ["JSON of somebody else", Response.json({ status: "ok" })],
    ["JSON that is none", new Response(portal, { headers: { "content-type": "application/json" } })],
    ["an empty answer", new Response(null, { status: 204 })],
    ["a proxy that refuses it", html(400)],
    ["JSON of a proxy", Response.json({ error: "bad request" }, { status: 422 })],
  ])("are kept and tried again where the answer is not the service's: %s", async (_what, answer) => {
    const onError = vi.fn()
    const hearth = aClient({ onError })
    await hearth.signInAnonymously()
    trackAll(hearth, "a", "b")
    world.service.fail(send, answer)
    await expect(hearth.flush()).rejects.toMatchObject({ code: "UNKNOWN_ANSWER", status: answer.status })
    expect(onError.mock.calls.map(([{ code }, event]) => [code, event])).toEqual(
      answer.ok ? [] : [["UNKNOWN_ANSWER", undefined]],
    )
    expect(String(world.storage.getItem("hearth.key.events.0"))).toMatch(/"a".*"b"/)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sizes()).toEqual([2, 2])
    expect(names()).toEqual(["a", "b"])
  })

  it("are dropped from the oldest, when they are too many or too large", async () => {
    const onError = vi.fn()
    const hearth = aClient({ onError, events: { maxEvents: 3, maxBytes: 1_000 } })
    await hearth.signInAnonymously()
    const ids = trackAll(hearth, "a", "b", "c", "d")
    const dropped = () => onError.mock.calls.map(([{ code }, { event_id }]) => [code, event_id])
    expect(dropped()).toEqual([["QUEUE_FULL", ids[0]]])
    hearth.track("large", { text: "ä".repeat(400) })
    expect(dropped()).toHaveLength(4)
    await hearth.flush()
    expect(names()).toEqual(["large"])
  })

  it("are sent from memory, where the storage is full", async () => {
    const onError = vi.fn()
    const full: HearthStorage = {
      ...world.storage,
      setItem: () => {
        throw new Error("QuotaExceededError")
      },
    }
    const hearth = aClient({ storage: full, onError })
    await hearth.signInAnonymously()
    hearth.track("a")
    await hearth.flush()
    expect(names()).toEqual(["a"])
  })

  it("stay where the service refuses the app, which is reported", async () => {
    const onError = vi.fn()
    const hearth = aClient({ onError })
    await hearth.signInAnonymously()
    hearth.track("a")
    world.service.fail(send, refusal(401, "UNAUTHORIZED"))
    await expect(hearth.flush()).rejects.toMatchObject({ code: "UNAUTHORIZED" })
    expect(onError).toHaveBeenCalledTimes(1)
    await hearth.flush()
    expect(names()).toEqual(["a"])
  })
})

describe("events of a page", () => {
  it("are sent by a request that outlives it, when it is hidden", async () => {
    const { emit, document } = stubBrowser()
    const hearth = aClient()
    await hearth.signInAnonymously()
    await hearth.flush()
    trackAll(hearth, "a", "b")
    document.visibilityState = "hidden"
    emit("visibilitychange")
    await vi.advanceTimersByTimeAsync(0)
    expect(names()).toEqual(["a", "b"])
    expect(world.service.calls(send).map(({ keepalive }) => keepalive)).toEqual([true])
    trackAll(hearth, "c", "d".repeat(200))
    hearth.track("large", { text: "e".repeat(70_000) })
    emit("pagehide")
    await vi.advanceTimersByTimeAsync(0)
    expect(sizes()).toEqual([2, 2])
  })

  it("are kept where the answer to that is not the service's", async () => {
    const { emit } = stubBrowser()
    const hearth = aClient()
    await hearth.signInAnonymously()
    await hearth.flush()
    hearth.track("a")
    world.service.fail(send, new Response("<h1>Accept our terms</h1>", { headers: { "content-type": "text/html" } }))
    emit("pagehide")
    await vi.advanceTimersByTimeAsync(0)
    expect(sizes()).toEqual([1])
    await hearth.flush()
    expect(names()).toEqual(["a"])
  })

  it("are kept apart from those of other tabs, and taken over when those are closed", async () => {
    stubBrowser()
    const [one, other] = [aClient(), aClient()]
    await one.signInAnonymously()
    await Promise.all([one.flush(), other.flush()])
    world.service.state.isAway = true
    one.track("of_one")
    other.track("of_other")
    await vi.advanceTimersByTimeAsync(10_000)
    expect(world.storage.getItem("hearth.key.events.0")).toContain("of_one")
    expect(world.storage.getItem("hearth.key.events.1")).toContain("of_other")
    one.close()
    other.close()
    await vi.advanceTimersByTimeAsync(0)
    world.service.state.isAway = false
    aClient()
    await vi.advanceTimersByTimeAsync(0)
    expect(names().sort()).toEqual(["of_one", "of_other"])
    expect(world.storage.getItem("hearth.key.events.1")).toBe(null)
  })
})
