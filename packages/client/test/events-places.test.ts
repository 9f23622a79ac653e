import { describe, expect, it, vi } from "vitest"
import { type HearthStorage, memoryStorage } from "../src/index.ts"
import { stubBrowser } from "./fake-browser.ts"
import { useWorld } from "./world.ts"

const send = "POST /client/events"

const world = useWorld()
const { aClient } = world
const names = () => world.service.events.map(({ event_name }) => event_name)
/** What a storage has of events. */
const kept = (storage: HearthStorage = world.storage) =>
  Array.from({ length: 20 }, (_, place) => storage.getItem(`hearth.key.events.${place}`)).join()
/** Lets what was begun come to its end; moves no clock. */
const settle = () => vi.advanceTimersByTimeAsync(0)
const wrap = ({ getItem, setItem, removeItem }: HearthStorage): HearthStorage => ({ getItem, setItem, removeItem })

describe.each([
  ["without locks", () => {}],
  ["with locks", () => void stubBrowser()],
])("events of clients of one process, %s", (_what, stub) => {
  it.each([
    ["one storage", (storage: HearthStorage) => storage],
    ["what is one storage behind two objects", wrap],
  ])("are all kept by %s, and sent by the next one", async (_storage, give) => {
    stub()
    await aClient().signInAnonymously()
    world.service.state.isAway = true
    const two = [aClient({ storage: give(world.storage) }), aClient({ storage: give(world.storage) })]
    await settle()
    two.forEach((client, at) => void client.track(`of_${at}`))
    for (const client of two) client.close()
    await settle()
    for (const name of ["of_0", "of_1"]) expect(kept()).toContain(`"${name}"`)
    world.service.state.isAway = false
    await aClient().flush()
    expect(names().sort()).toEqual(["of_0", "of_1"])
    expect(kept()).not.toMatch(/"of_/)
  })

  it("are kept where clients are made, used and closed in one turn, and used afterwards", async () => {
    stub()
    await aClient().signInAnonymously()
    await settle()
    world.service.state.isAway = true
    const two = [aClient(), aClient()]
    two.forEach((client, at) => void client.track(`of_${at}`))
    for (const client of two) client.close()
    await settle()
    two.forEach((client, at) => void client.track(`late_of_${at}`))
    await settle()
    for (const name of ["of_0", "of_1", "late_of_0", "late_of_1"]) expect(kept()).toContain(`"${name}"`)
    // None of them has its place any more.
    for (let made = 0; made < 15; made++) aClient().track("later")
    await settle()
    expect(kept().match(/"later"/g)).toHaveLength(15)
  })

  it("are kept by as many storages as there are", async () => {
    stub()
    world.service.state.isAway = true
    const storages = Array.from({ length: 40 }, () => memoryStorage())
    for (const storage of storages) aClient({ storage }).track("app_opened")
    await settle()
    expect(storages.filter((storage) => kept(storage).includes("app_opened"))).toHaveLength(40)
  })

  it("are not overwritten by one that was closed while it was sending", async () => {
    stub()
    const one = aClient()
    await one.signInAnonymously()
    one.track("of_one")
    world.service.fail(send, "no answer")
    void one.flush().catch(() => {})
    await settle()
    one.close()
    world.service.state.isAway = true
    const other = aClient()
    await settle()
    other.track("of_other")
    await settle()
    one.track("of_one_closed")
    await vi.advanceTimersByTimeAsync(60_000)
    other.close()
    await settle()
    for (const name of ["of_one", "of_other", "of_one_closed"]) expect(kept()).toContain(`"${name}"`)
    world.service.state.isAway = false
    await aClient().flush()
    expect(names().sort()).toEqual(["of_one", "of_one_closed", "of_other"])
  })
})
