import { describe, expect, it, vi } from "vitest"
import { useWorld } from "./world.ts"

const send = "POST /client/events"

const world = useWorld()
const { aClient } = world
const names = () => world.service.events.map(({ event_name }) => event_name)
const sizes = () => world.service.calls(send).map(({ body }) => body.events.length)

const tooLarge = () => new Response("<h1>413 Request Entity Too Large</h1>", { status: 413 })

/** Puts a proxy before the service, which takes bodies of up to so many characters; it may be given another limit. */
const limitBodies = (characters: number) => {
  const proxy = { characters }
  const { fetch } = world.service
  world.service.fetch = async (input, init) => {
    const request = new Request(input, init)
    if ((await request.clone().text()).length > proxy.characters) world.service.fail(send, tooLarge())
    return fetch(request)
  }
  return proxy
}

describe("a proxy that takes smaller bodies than the service", () => {
  it("gets the events in smaller batches, and nothing is reported", async () => {
    limitBodies(1_000)
    const onError = vi.fn()
    const hearth = aClient({ onError })
    await hearth.signInAnonymously()
    for (const name of ["a", "b", "c", "d"]) hearth.track(name, { text: "x".repeat(300) })
    await hearth.flush()
    expect(sizes()).toEqual([4, 2, 2])
    expect(names()).toEqual(["a", "b", "c", "d"])
    expect(onError).not.toHaveBeenCalled()
  })

  it("keeps an event back that is too large for it alone, and none of the others", async () => {
    const proxy = limitBodies(1_000)
    const onError = vi.fn()
    const hearth = aClient({ onError })
    await hearth.signInAnonymously()
    hearth.track("large", { text: "x".repeat(1_000) })
    for (const name of ["a", "b", "c"]) hearth.track(name)
    await expect(hearth.flush()).rejects.toMatchObject({ code: "UNKNOWN_ANSWER", status: 413 })
    expect(names()).toEqual(["a", "b", "c"])
    expect(onError.mock.calls.map(([{ status }, event]) => [status, event])).toEqual([[413, undefined]])
    expect(String(world.storage.getItem("hearth.key.events.0"))).toContain('"large"')
    proxy.characters = 10_000
    await vi.advanceTimersByTimeAsync(1_000)
    expect(names()).toEqual(["a", "b", "c", "large"])
  })

  it("is not asked for the rest where the network is gone meanwhile", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    for (const name of ["a", "b", "c"]) hearth.track(name)
    world.service.fail(send, tooLarge(), tooLarge(), "lost")
    await expect(hearth.flush()).rejects.toMatchObject({ code: "NETWORK_ERROR" })
    expect(sizes()).toEqual([3, 2, 1])
    expect(names()).toEqual([])
  })
})
