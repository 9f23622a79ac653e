import { createDeveloperClient, type HearthStorage, memoryStorage } from "@hearth/client"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("a developer's session at the service", () => {
  const harness = makeHarness()
  let server: TestServer

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
  })
  afterAll(harness.clear)

  const aClient = (storage: HearthStorage, onSignedOut = vi.fn()) =>
    createDeveloperClient({ url: server.url, storage, onSignedOut })

  const readTokens = (storage: HearthStorage) =>
    JSON.parse(String(storage.getItem(`hearth.developer.${server.url}`))) as Record<string, unknown>

  /** Has the service refuse the token that is stored; the refresh token stays good. */
  const spoilToken = (storage: HearthStorage) =>
    storage.setItem(
      `hearth.developer.${server.url}`,
      JSON.stringify({ ...readTokens(storage), accessToken: "not.a.token" }),
    )

  it("begins with an account, holds over reloads and refreshes, and keeps no password", async () => {
    const storage = memoryStorage()
    const account = { email: "first@example.com", password: "a long password" }
    expect(await aClient(storage).session()).toBeNull()
    const { id } = await aClient(storage).signUp(account)
    expect(JSON.stringify(readTokens(storage))).not.toContain(account.password)
    spoilToken(storage)
    const reloaded = aClient(storage)
    expect(await reloaded.session()).toEqual({ developerId: id })
    const calls = Array.from({ length: 5 }, () => reloaded.api.GET("/auth/developer/me"))
    expect(new Set((await Promise.all(calls)).map(({ data }) => data.id))).toEqual(new Set([id]))
    expect((await reloaded.api.GET("/admin/projects")).data).toEqual([])
  })

  it("sends requests of one's own with its token", async () => {
    const storage = memoryStorage()
    const developer = aClient(storage)
    const { id } = await developer.signUp({ email: "second@example.com", password: "a long password" })
    spoilToken(storage)
    const answer = await aClient(storage).fetch(new Request(`${server.url}/v1/auth/developer/me`))
    expect(await answer.json()).toMatchObject({ data: { id } })
  })

  it("ends when one signs out, here and on the service", async () => {
    const [storage, onSignedOut] = [memoryStorage(), vi.fn()]
    const account = { email: "third@example.com", password: "a long password" }
    const developer = aClient(storage, onSignedOut)
    await developer.signUp(account)
    const stolen = memoryStorage()
    stolen.setItem(`hearth.developer.${server.url}`, JSON.stringify(readTokens(storage)))
    spoilToken(stolen)
    await developer.signOut()
    expect([await developer.session(), readTokens(storage), onSignedOut.mock.calls]).toEqual([
      null,
      null,
      [["signed_out"]],
    ])
    await expect(developer.api.GET("/admin/projects")).rejects.toMatchObject({ status: 401 })
    const hears = vi.fn()
    await expect(aClient(stolen, hears).api.GET("/admin/projects")).rejects.toMatchObject({ status: 401 })
    expect(hears.mock.calls).toEqual([["refused"]])
    await developer.signIn(account)
    expect((await developer.api.GET("/auth/developer/me")).data.email).toBe(account.email)
  })

  it("does not begin with a wrong password, and says why", async () => {
    const developer = aClient(memoryStorage())
    const wrong = developer.signIn({ email: "third@example.com", password: "another password" })
    await expect(wrong).rejects.toMatchObject({ status: 401, code: "INVALID_CREDENTIALS" })
    expect(await developer.session()).toBeNull()
  })
})
