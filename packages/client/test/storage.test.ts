import { describe, expect, it, vi } from "vitest"
import type { HearthStorage } from "../src/index.ts"
import { stubBrowser } from "./fake-browser.ts"
import { useWorld } from "./world.ts"

const key = "hearth.key.session"
const ann = { email: "ann@example.com", password: "correct horse" }
const bob = { ...ann, email: "bob@example.com" }

const world = useWorld()
const { aClient } = world
const stored = () => JSON.parse(String(world.storage.getItem(key)))

/** The storage of the test, which takes no writes while it is full. */
const fillable = () => {
  const state = { isFull: false }
  const check = () => {
    if (state.isFull) throw new Error("QuotaExceededError")
  }
  const storage: HearthStorage = {
    ...world.storage,
    setItem: (...item) => {
      check()
      world.storage.setItem(...item)
    },
    removeItem: (name) => {
      check()
      world.storage.removeItem(name)
    },
  }
  return { state, storage }
}

/** A client whose refreshed session could not be stored. */
const refreshUnstored = async () => {
  const [{ state, storage }, onError] = [fillable(), vi.fn()]
  const hearth = aClient({ storage, onError })
  const session = await hearth.signInAnonymously()
  const { refreshToken } = stored()
  world.service.expireTokens()
  state.isFull = true
  const answer = hearth.me()
  await vi.advanceTimersByTimeAsync(200)
  await answer
  expect(stored()).toMatchObject({ refreshToken })
  return { hearth, session, state, refreshToken, onError }
}

describe("what could not be stored", () => {
  it("is stored at the next use of the storage, and the next start goes on with it", async () => {
    const { hearth, session, state } = await refreshUnstored()
    state.isFull = false
    hearth.track("a")
    await hearth.flush()
    hearth.close()
    const onSignedOut = vi.fn()
    const next = aClient({ onSignedOut })
    world.service.expireTokens()
    const answer = next.me().catch((error) => error)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await answer).toEqual({ id: session.userId })
    expect(onSignedOut).not.toHaveBeenCalled()
  })

  it("is stored after a while where nothing else is, and is reported once until then", async () => {
    const { state, refreshToken, onError } = await refreshUnstored()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(stored()).toMatchObject({ refreshToken })
    expect(onError.mock.calls.map(([{ code }]) => code)).toEqual(["STORAGE_FAILED"])
    state.isFull = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(stored().refreshToken).not.toBe(refreshToken)
  })

  it("is never stored over what another tab has stored, which holds here, too", async () => {
    const { emit } = stubBrowser()
    const { hearth, state } = await refreshUnstored()
    const signedIn = aClient().signInWithEmail(bob)
    await vi.advanceTimersByTimeAsync(200)
    await signedIn
    const { refreshToken } = stored()
    state.isFull = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(stored()).toMatchObject({ refreshToken })
    emit("storage", { key })
    await vi.waitFor(async () => expect(await hearth.session()).toEqual({ userId: bob.email }))
  })

  it("does not undo the sign-out of another tab", async () => {
    const { state } = await refreshUnstored()
    await aClient().signOut()
    state.isFull = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(world.storage.getItem(key)).toBe(null)
  })

  it("is removed later where it could not be at the sign-out", async () => {
    const { state, storage } = fillable()
    const hearth = aClient({ storage })
    await hearth.signInWithEmail(ann)
    state.isFull = true
    await hearth.signOut()
    expect(stored()).toMatchObject({ userId: ann.email })
    state.isFull = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(world.storage.getItem(key)).toBe(null)
  })

  it("gives way to what is stored meanwhile, with a storage that is slow", async () => {
    const { state, storage } = fillable()
    const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
    const slow: HearthStorage = {
      getItem: (name) => pause().then(() => storage.getItem(name)),
      setItem: (...item) => pause().then(() => storage.setItem(...item)),
      removeItem: (name) => pause().then(() => storage.removeItem(name)),
    }
    const hearth = aClient({ storage: slow })
    state.isFull = true
    const first = hearth.signInWithEmail(ann)
    await vi.advanceTimersByTimeAsync(500)
    await first
    state.isFull = false
    // The write of before is tried again while somebody else signs in.
    const second = hearth.signInWithEmail(bob)
    await vi.advanceTimersByTimeAsync(5_000)
    await second
    expect(stored()).toMatchObject({ userId: bob.email })
    expect(await hearth.session()).toEqual({ userId: bob.email })
  })
})

describe("a sign-out where it cannot be read who is signed in", () => {
  /** The next start of an app whose storage cannot be read until then. */
  const startLocked = (opensAt: number) => {
    const read = (name: string) => {
      if (Date.now() < opensAt) throw new Error("locked")
      return world.storage.getItem(name)
    }
    return aClient({ storage: { ...world.storage, getItem: read } })
  }
  const logouts = () => world.service.calls("POST /client/auth/logout").map(({ body }) => body)

  it("waits a moment for the storage, and ends the session", async () => {
    await aClient().signInWithEmail(ann)
    const { refreshToken } = stored()
    const out = startLocked(Date.now() + 1_500).signOut()
    await vi.advanceTimersByTimeAsync(5_000)
    await out
    expect(world.storage.getItem(key)).toBe(null)
    expect(logouts()).toEqual([{ refresh_token: refreshToken }])
  })

  it("forgets the session all the same where that takes longer", async () => {
    await aClient().signInWithEmail(ann)
    const hearth = startLocked(Date.now() + 60_000)
    const out = hearth.signOut()
    await vi.advanceTimersByTimeAsync(5_000)
    await out
    expect(world.storage.getItem(key)).toBe(null)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await hearth.session()).toBe(null)
    expect(await aClient().session()).toBe(null)
  })
})
