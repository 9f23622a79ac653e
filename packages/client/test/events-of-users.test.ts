import { describe, expect, it, vi } from "vitest"
import type { HearthClient } from "../src/index.ts"
import { useWorld } from "./world.ts"

const send = "POST /client/events"
const ann = { email: "ann@example.com", password: "correct horse" }

const world = useWorld()
const { aClient } = world

describe("events of users", () => {
  it("are sent before the next one signs in", async () => {
    const hearth = aClient()
    const { userId } = await hearth.signInAnonymously()
    hearth.track("of_anonymous")
    await hearth.signInWithEmail(ann)
    hearth.track("of_ann")
    await hearth.flush()
    expect(world.service.events.map(({ user, event_name }) => [user, event_name])).toEqual([
      [userId, "of_anonymous"],
      [ann.email, "of_ann"],
    ])
  })

  it("are never sent as somebody else's, and wait until theirs is back", async () => {
    const hearth = aClient()
    await hearth.signInWithEmail(ann)
    world.service.state.isAway = true
    hearth.track("of_ann")
    const out = hearth.signOut()
    await vi.advanceTimersByTimeAsync(60_000)
    await out
    world.service.state.isAway = false
    await hearth.signInWithEmail({ ...ann, email: "bob@example.com" })
    hearth.track("of_bob")
    await hearth.flush()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(world.service.events.map(({ user, event_name }) => [user, event_name])).toEqual([
      ["bob@example.com", "of_bob"],
    ])
    await hearth.signInWithEmail(ann)
    await hearth.flush()
    expect(world.service.events.at(-1)).toMatchObject({ user: ann.email, event_name: "of_ann" })
  })

  describe("with the same id", () => {
    const bob = { ...ann, email: "bob@example.com" }
    const sent = () => world.service.events.map(({ user, event_name }) => [user, event_name])
    /** Ann tracks an event with an id, and signs out while the service is away. */
    const leaveOne = async (hearth: HearthClient) => {
      await hearth.signInWithEmail(ann)
      world.service.state.isAway = true
      hearth.track("of_ann", {}, { eventId: "mine" })
      const out = hearth.signOut()
      await vi.advanceTimersByTimeAsync(60_000)
      await out
      world.service.state.isAway = false
    }

    it("are kept apart where those of one arrive", async () => {
      const hearth = aClient()
      await leaveOne(hearth)
      await hearth.signInWithEmail(bob)
      hearth.track("of_bob", {}, { eventId: "mine" })
      await hearth.flush()
      expect(sent()).toEqual([[bob.email, "of_bob"]])
      await hearth.signInWithEmail(ann)
      await hearth.flush()
      expect(sent()).toEqual([
        [bob.email, "of_bob"],
        [ann.email, "of_ann"],
      ])
    })

    it("are kept apart where the time of one is set right", async () => {
      const hearth = aClient()
      await leaveOne(hearth)
      await hearth.signInWithEmail(bob)
      world.service.state.skew = 3 * 86_400_000
      hearth.track("of_bob", {}, { eventId: "mine" })
      await hearth.flush()
      await hearth.signInWithEmail(ann)
      await hearth.flush()
      expect(sent()).toEqual([
        [bob.email, "of_bob"],
        [ann.email, "of_ann"],
      ])
    })

    it("are kept apart where the storage is read after one was tracked", async () => {
      const before = aClient()
      await leaveOne(before)
      await before.signInWithEmail(bob)
      before.close()
      await vi.advanceTimersByTimeAsync(0)
      const hearth = aClient()
      hearth.track("of_bob", {}, { eventId: "mine" })
      await hearth.flush()
      await hearth.signInWithEmail(ann)
      await hearth.flush()
      expect(sent().sort()).toEqual([
        [ann.email, "of_ann"],
        [bob.email, "of_bob"],
      ])
    })
  })

  it("are sent by themselves after those of the one before could not be", async () => {
    const hearth = aClient()
    await hearth.signInWithEmail(ann)
    hearth.track("of_ann")
    world.service.fail(send, ...Array<"lost">(3).fill("lost"))
    await expect(hearth.flush()).rejects.toThrow()
    await expect(hearth.flush()).rejects.toThrow()
    await hearth.signOut()
    await hearth.signInWithEmail({ ...ann, email: "bob@example.com" })
    hearth.track("of_bob")
    await vi.advanceTimersByTimeAsync(5_000)
    expect(world.service.events.map(({ event_name }) => event_name)).toEqual(["of_bob"])
  })

  it("who is nobody yet are those of who signs in next", async () => {
    const hearth = aClient()
    hearth.track("app_opened")
    await hearth.flush()
    expect(world.service.calls(send)).toHaveLength(0)
    const { userId } = await hearth.signInAnonymously()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(world.service.events).toMatchObject([{ user: userId, event_name: "app_opened" }])
  })

  it("who was signed in, which could not be read at the start, are theirs as soon as it can", async () => {
    const session = await aClient().signInAnonymously()
    let isLocked = true
    const read = (key: string) => (isLocked ? Promise.reject(new Error("locked")) : world.storage.getItem(key))
    const onSignedIn = vi.fn()
    const hearth = aClient({ storage: { ...world.storage, getItem: read }, onSignedIn })
    hearth.track("app_opened")
    await vi.advanceTimersByTimeAsync(1_000)
    isLocked = false
    expect(await hearth.session()).toEqual(session)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(onSignedIn.mock.calls).toEqual([[session]])
    expect(world.service.events).toMatchObject([{ user: session.userId, event_name: "app_opened" }])
  })

  it("who was signed in at the last start are theirs, before it is known who that is", async () => {
    const { userId } = await aClient().signInAnonymously()
    const hearth = aClient()
    hearth.track("app_opened")
    const signedIn = hearth.signInWithEmail(ann)
    await vi.advanceTimersByTimeAsync(5_000)
    await signedIn
    expect(world.service.events).toMatchObject([{ user: userId, event_name: "app_opened" }])
  })
})
