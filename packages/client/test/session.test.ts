import { describe, expect, it, vi } from "vitest"
import { type HearthClient, type HearthStorage, memoryStorage } from "../src/index.ts"
import { stubBrowser } from "./fake-browser.ts"
import { refusal } from "./fake-service.ts"
import { useWorld } from "./world.ts"

const refresh = "POST /client/auth/refresh"
const me = "GET /client/users/me"
const social = "POST /client/auth/social"
const account = { email: "ann@example.com", password: "correct horse" }

const world = useWorld()
const { aClient } = world
const stored = () => JSON.parse(String(world.storage.getItem("hearth.key.session")))

describe("a session", () => {
  it("is refreshed once for all calls that are refused at the same time", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    world.service.expireTokens()
    const answers = await Promise.all(Array.from({ length: 20 }, () => hearth.me()))
    expect(answers).toHaveLength(20)
    expect(world.service.calls(refresh)).toHaveLength(1)
  })

  it("is refreshed before its token ends, and for the calls that come meanwhile, too", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    vi.advanceTimersByTime(3_541_000)
    await Promise.all([hearth.me(), hearth.me()])
    expect(world.service.calls(refresh)).toHaveLength(1)
    expect(world.service.arrived.map(({ call }) => call)).toEqual(["POST /client/auth/anonymous", refresh, me, me])
  })

  it("goes on with a token that still holds where the refresh fails", async () => {
    const hearth = aClient({ retries: 0 })
    await hearth.signInAnonymously()
    vi.advanceTimersByTime(3_541_000)
    world.service.fail(refresh, refusal(503, "TENANT_BUSY"))
    await hearth.me()
    expect(world.service.calls(me)).toHaveLength(1)
    await hearth.me()
    expect(world.service.calls(refresh)).toHaveLength(2)
  })

  it("stores the new pair before it is used", async () => {
    const slow: HearthStorage = {
      ...world.storage,
      setItem: async (key, value) => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        world.storage.setItem(key, value)
      },
    }
    const hearth = aClient({ storage: slow })
    const signedIn = hearth.signInAnonymously()
    await vi.advanceTimersByTimeAsync(100)
    await signedIn
    world.service.expireTokens()
    const used: Array<readonly [string | null, string]> = []
    const look = ({ token }: { token: string | null }) => void used.push([token, stored().accessToken])
    world.service.fail(me, look, look, look, look)
    const { accessToken: old } = stored()
    const answers = [hearth.me()]
    await vi.advanceTimersByTimeAsync(50)
    answers.push(hearth.me())
    await vi.advanceTimersByTimeAsync(100)
    await Promise.all(answers)
    expect(used.map(([token]) => token === old)).toEqual([true, true, false, false])
    for (const [token, kept] of used) expect(token).toBe(kept)
  })

  it("never sends a call as somebody else, who has signed in in another tab", async () => {
    const one = aClient()
    await one.signInWithEmail(account)
    const other = aClient()
    await other.session()
    await one.signInWithEmail({ email: "bob@example.com", password: "correct horse" })
    await vi.waitFor(() => expect(world.service.calls("POST /client/auth/logout")).toHaveLength(1))
    await expect(other.me()).rejects.toMatchObject({ code: "INVALID_TOKEN" })
    expect(await other.me()).toEqual({ id: "bob@example.com" })
    expect(world.service.calls(refresh)).toHaveLength(0)
  })

  it("ends where the refresh is refused, and tells so", async () => {
    const onSignedOut = vi.fn()
    const hearth = aClient({ onSignedOut })
    await hearth.signInAnonymously()
    world.service.endSessions()
    const calls = Promise.allSettled([hearth.me(), hearth.me()])
    await vi.advanceTimersByTimeAsync(1_000)
    for (const call of await calls) expect(call).toMatchObject({ reason: { status: 401, code: "INVALID_TOKEN" } })
    expect(onSignedOut.mock.calls).toEqual([["refused"]])
    expect(await hearth.session()).toBe(null)
    expect(world.storage.getItem("hearth.key.session")).toBe(null)
    expect(world.service.calls(refresh)).toHaveLength(1)
  })

  it.each([
    ["the network fails", "lost"],
    ["the service is broken", refusal(500, "REFRESH_FAILED")],
    ["the client key is not known", refusal(401, "UNAUTHORIZED")],
  ] as const)("is kept when %s during the refresh", async (_what, fault) => {
    const onSignedOut = vi.fn()
    const hearth = aClient({ onSignedOut, retries: 0 })
    const { userId } = await hearth.signInAnonymously()
    world.service.expireTokens()
    world.service.fail(refresh, fault)
    await expect(hearth.me()).rejects.toThrow()
    expect(await hearth.session()).toEqual({ userId })
    expect(await hearth.me()).toEqual({ id: userId })
    expect(onSignedOut).not.toHaveBeenCalled()
  })

  it("is not refreshed for a client key that is refused", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    world.service.fail(me, refusal(401, "UNAUTHORIZED"))
    await expect(hearth.me()).rejects.toMatchObject({ code: "UNAUTHORIZED" })
    expect(world.service.calls(refresh)).toHaveLength(0)
  })

  it("is refreshed by one tab for all", async () => {
    const { emit } = stubBrowser()
    const tabs = [aClient(), aClient(), aClient()]
    await tabs[0]?.signInAnonymously()
    emit("storage", { key: "hearth.key.session" })
    // They read what was stored.
    await vi.advanceTimersByTimeAsync(0)
    world.service.expireTokens()
    const answers = Promise.all(tabs.map((tab) => tab.me()))
    await vi.advanceTimersByTimeAsync(300)
    await answers
    expect(world.service.calls(refresh)).toHaveLength(1)
  })

  it("is refreshed by one tab for all, where the others see what it has stored a moment later", async () => {
    const { emit } = stubBrowser()
    let seen: string | null | undefined
    const late: HearthStorage = {
      ...world.storage,
      getItem: (key) => (seen === undefined ? world.storage.getItem(key) : seen),
    }
    const [one, other] = [aClient(), aClient({ storage: late })]
    await one.signInAnonymously()
    emit("storage", { key: "hearth.key.session" })
    // They read what was stored.
    await vi.advanceTimersByTimeAsync(0)
    await other.me()
    seen = String(world.storage.getItem("hearth.key.session"))
    world.service.expireTokens()
    const answers = Promise.all([one.me(), other.me()])
    setTimeout(() => {
      seen = undefined
    }, 50)
    await vi.advanceTimersByTimeAsync(300)
    await answers
    expect(world.service.calls(refresh)).toHaveLength(1)
  })

  it("is that of another tab which was quicker, where tabs have no locks", async () => {
    const [one, other] = [aClient(), aClient()]
    await one.signInAnonymously()
    await other.session()
    world.service.expireTokens()
    // Both send the same token. The other's pair is stored while this one is refused.
    world.service.fail(refresh, () => {
      setTimeout(() => world.storage.setItem("hearth.key.session", JSON.stringify(newer)), 500)
      return refusal(401, "INVALID_TOKEN")
    })
    const answered = await world.service.fetch("http://hearth.test/v1/client/auth/anonymous", { method: "POST" })
    const { data } = (await answered.json()) as { data: Record<string, string> & { user: object } }
    const newer = { ...stored(), accessToken: data["session_token"], refreshToken: data["refresh_token"] }
    const answer = one.me()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await answer).toEqual(data.user)
    expect(world.service.calls(refresh)).toHaveLength(1)
  })

  it("follows what another tab does", async () => {
    const { emit } = stubBrowser()
    const [onSignedIn, onSignedOut] = [vi.fn(), vi.fn()]
    const one = aClient()
    const other = aClient({ onSignedIn, onSignedOut })
    expect(await other.session()).toBe(null)
    const session = await one.signInAnonymously()
    emit("storage", { key: "hearth.key.session" })
    await vi.waitFor(() => expect(onSignedIn.mock.calls).toEqual([[session]]))
    await one.signOut()
    emit("storage", { key: "hearth.key.session" })
    await vi.waitFor(() => expect(onSignedOut.mock.calls).toEqual([["elsewhere"]]))
  })

  it("stays in memory where the storage throws, and that is reported once", async () => {
    const onError = vi.fn()
    const full: HearthStorage = {
      getItem: () => null,
      setItem: () => {
        throw new Error("QuotaExceededError")
      },
      removeItem: () => {},
    }
    const hearth = aClient({ storage: full, onError })
    await hearth.signInAnonymously()
    world.service.expireTokens()
    await hearth.me()
    world.service.expireTokens()
    await hearth.me()
    expect(world.service.calls(refresh)).toHaveLength(2)
    expect(onError.mock.calls.map(([error]) => error.code)).toEqual(["STORAGE_FAILED"])
  })

  it("stays where the storage cannot be read for a while, when it is refreshed and at a start", async () => {
    let isLocked = false
    const locked: HearthStorage = {
      ...world.storage,
      getItem: (key) => (isLocked ? Promise.reject(new Error("locked")) : world.storage.getItem(key)),
    }
    const [onError, onSignedOut] = [vi.fn(), vi.fn()]
    const hearth = aClient({ storage: locked, onError, onSignedOut })
    const { userId } = await hearth.signInAnonymously()
    isLocked = true
    world.service.expireTokens()
    const answer = hearth.me()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await answer).toMatchObject({ id: userId })
    expect([onError.mock.calls.map(([error]) => error.code), onSignedOut.mock.calls]).toEqual([["STORAGE_FAILED"], []])
    hearth.close()
    const next = aClient({ storage: locked }).signInAnonymously()
    setTimeout(() => {
      isLocked = false
    }, 300)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await next).toEqual({ userId })
  })

  it("is read again where the storage could not be read at the start", async () => {
    await aClient().signInAnonymously()
    let isLocked = true
    const locked: HearthStorage = {
      ...world.storage,
      getItem: (key) => (isLocked ? Promise.reject(new Error("locked")) : world.storage.getItem(key)),
    }
    const hearth = aClient({ storage: locked })
    const before = hearth.session()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await before).toBe(null)
    isLocked = false
    expect(await hearth.session()).toEqual({ userId: stored().userId })
  })

  it("makes no user while the storage cannot be read, and finds the one who is signed in", async () => {
    const session = await aClient().signInAnonymously()
    const { refreshToken } = stored()
    const opensAt = Date.now() + 700
    const read = (key: string) => {
      if (Date.now() < opensAt) throw new Error("locked")
      return world.storage.getItem(key)
    }
    const next = aClient({ storage: { ...world.storage, getItem: read } }).signInAnonymously()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await next).toEqual(session)
    expect(stored().refreshToken).toBe(refreshToken)
    expect(world.service.arrived.map(({ call }) => call)).toEqual(["POST /client/auth/anonymous"])
  })

  it.each([
    ["an anonymous sign-in", (hearth: HearthClient) => hearth.signInAnonymously()],
    ["an upgrade", (hearth: HearthClient) => hearth.signUpWithEmail(account)],
  ] as const)("is not replaced by %s while the storage cannot be read: that is refused", async (_what, signIn) => {
    await aClient().signInAnonymously()
    const before = stored()
    const locked = { ...world.storage, getItem: () => Promise.reject(new Error("locked")) }
    const refused = expect(signIn(aClient({ storage: locked }))).rejects.toMatchObject({ code: "STORAGE_FAILED" })
    await vi.advanceTimersByTimeAsync(5_000)
    await refused
    expect(stored()).toEqual(before)
    expect(world.service.arrived).toHaveLength(1)
  })

  it("is none where the storage answers undefined", async () => {
    const items = new Map<string, string>()
    const read = (key: string) => items.get(key) as string
    const set = (key: string, value: string) => void items.set(key, value)
    const session = await aClient({ storage: { ...world.storage, getItem: read, setItem: set } }).signInAnonymously()
    expect(JSON.parse(String(items.get("hearth.key.session")))).toMatchObject(session)
  })

  it("is none where the storage holds something else", async () => {
    world.storage.setItem("hearth.key.session", '{"accessToken":1')
    expect(await aClient().session()).toBe(null)
  })
})

describe("signing in", () => {
  it("anonymously makes one user, however often it is called", async () => {
    const hearth = aClient()
    const [one, other] = await Promise.all([hearth.signInAnonymously(), hearth.signInAnonymously()])
    expect(one).toEqual(other)
    // The next start, without a network.
    world.service.state.isAway = true
    expect(await aClient().signInAnonymously()).toEqual(one)
    expect(world.service.calls("POST /client/auth/anonymous")).toHaveLength(1)
  })

  it("upgrades the user who is signed in, with a new token where theirs has ended", async () => {
    const hearth = aClient()
    const { userId } = await hearth.signInAnonymously()
    world.service.expireTokens()
    expect(await hearth.signUpWithEmail(account)).toEqual({ userId })
    expect(world.service.calls(refresh)).toHaveLength(1)
    expect(await aClient({ storage: memoryStorage() }).signUpWithEmail(account)).toEqual({ userId: account.email })
  })

  it("with an identity upgrades the user who is signed in, and finds them on another device", async () => {
    const hearth = aClient()
    const { userId } = await hearth.signInAnonymously()
    const identity = { provider: "idp_a", token: "ann", nonce: "n" } as const
    expect(await hearth.signInWithSocial(identity)).toEqual({ userId })
    expect(world.service.calls(social).map(({ body }) => body)).toMatchObject([
      { ...identity, session_token: expect.any(String) },
    ])
    const other = aClient({ storage: memoryStorage() })
    expect(await other.signInWithSocial(identity)).toEqual({ userId })
    const { body } = world.service.calls(social).at(-1) ?? {}
    expect(body).toEqual(identity)
  })

  it("with an identity is of its own where no upgrade is wanted", async () => {
    const hearth = aClient()
    const { userId } = await hearth.signInAnonymously()
    const signedIn = await hearth.signInWithSocial({ provider: "idp_b", token: "bob", upgrade: false })
    expect(signedIn.userId).not.toBe(userId)
    expect(world.service.calls(social).map(({ body }) => body)).toEqual([{ provider: "idp_b", token: "bob" }])
    expect(await hearth.session()).toEqual(signedIn)
  })

  it("links one more identity, with a new token where theirs has ended, and not another's", async () => {
    const hearth = aClient()
    const { userId } = await hearth.signInAnonymously()
    world.service.expireTokens()
    expect(await hearth.linkSocial({ provider: "idp_b", token: "ann" })).toEqual({ userId })
    expect(world.service.calls(refresh)).toHaveLength(1)
    const other = aClient({ storage: memoryStorage() })
    const stranger = await other.signInAnonymously()
    await expect(other.linkSocial({ provider: "idp_b", token: "ann" })).rejects.toMatchObject({
      status: 409,
      code: "IDENTITY_ALREADY_LINKED",
    })
    expect(await other.session()).toEqual(stranger)
  })

  it("ends the session of before", async () => {
    const hearth = aClient()
    await hearth.signInAnonymously()
    const { refreshToken } = stored()
    await hearth.signInWithEmail(account)
    const bodies = () => world.service.calls("POST /client/auth/logout").map(({ body }) => body)
    await vi.waitFor(() => expect(bodies()).toEqual([{ refresh_token: refreshToken }]))
  })

  it("out needs no network", async () => {
    const onSignedOut = vi.fn()
    const hearth = aClient({ onSignedOut })
    await hearth.signInAnonymously()
    world.service.state.isAway = true
    const out = hearth.signOut()
    await vi.advanceTimersByTimeAsync(5_000)
    await out
    expect(await aClient().session()).toBe(null)
    expect(onSignedOut.mock.calls).toEqual([["signed_out"]])
  })
})
