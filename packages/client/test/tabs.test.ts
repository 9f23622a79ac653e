import { describe, expect, it, vi } from "vitest"
import type { HearthStorage } from "../src/index.ts"
import { stubBrowser } from "./fake-browser.ts"
import { useWorld } from "./world.ts"

const anonymous = "POST /client/auth/anonymous"

const world = useWorld()
const { aClient } = world

describe("two tabs at the first start", () => {
  it("sign one anonymous user in, and the events of both arrive", async () => {
    stubBrowser()
    const onSignedIn = vi.fn()
    const tabs = [aClient({ onSignedIn }), aClient({ onSignedIn })]
    for (const [at, tab] of tabs.entries()) tab.track(`of_tab_${at}`)
    const signedIn = Promise.all(tabs.map((tab) => tab.signInAnonymously()))
    await vi.advanceTimersByTimeAsync(300)
    const [one, other] = await signedIn
    expect(one).toEqual(other)
    expect(onSignedIn.mock.calls).toEqual([[one], [one]])
    expect(world.service.calls(anonymous)).toHaveLength(1)
    await Promise.all(tabs.map((tab) => tab.flush()))
    expect(world.service.events.map(({ user, event_name }) => [user, event_name]).sort()).toEqual([
      [one?.userId, "of_tab_0"],
      [one?.userId, "of_tab_1"],
    ])
  })

  it("sign one in where the second sees a moment later what the first has stored", async () => {
    stubBrowser()
    let storedAt = Number.POSITIVE_INFINITY
    const eager: HearthStorage = {
      ...world.storage,
      setItem: (key, value) => {
        storedAt = Math.min(storedAt, Date.now())
        world.storage.setItem(key, value)
      },
    }
    const late: HearthStorage = {
      ...world.storage,
      getItem: (key) => (Date.now() < storedAt + 50 ? null : world.storage.getItem(key)),
    }
    const signedIn = Promise.all([eager, late].map((storage) => aClient({ storage }).signInAnonymously()))
    await vi.advanceTimersByTimeAsync(300)
    const [one, other] = await signedIn
    expect(one).toEqual(other)
    expect(world.service.calls(anonymous)).toHaveLength(1)
  })

  it("sign one in where one of them has signed in with an email meanwhile", async () => {
    stubBrowser()
    const [one, other] = [aClient(), aClient()]
    await other.session()
    const session = await one.signInWithEmail({ email: "ann@example.com", password: "correct horse" })
    const signedIn = other.signInAnonymously()
    await vi.advanceTimersByTimeAsync(300)
    expect(await signedIn).toEqual(session)
    expect(world.service.calls(anonymous)).toHaveLength(0)
  })
})
