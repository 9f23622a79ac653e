import { generateKeyPairSync } from "node:crypto"
import { integrationConfig, memorySecretBox, type TestWorld, testPrivateKeys, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { createEngagement } from "../engagement.ts"
import { Forbidden, InvalidInput } from "../failure.ts"
import type { JsonObject } from "../schema.ts"
import { type IntegrationProvider, isTokenUri, makeFindIntegration } from "./index.ts"

const providers = ["subscription", "paywall", "push_a", "push_b"] as const

const setUp = async (world: TestWorld = testWorld()) => {
  const { core } = world
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const by = (developerId: string) => ({
    put: (provider: IntegrationProvider, config?: JsonObject, is_active?: boolean) =>
      world.run(
        core.integrations.put(projectId, developerId, provider, {
          ...(config === undefined ? {} : { config }),
          ...(is_active === undefined ? {} : { is_active }),
        }),
      ),
    remove: (provider: IntegrationProvider) => world.run(core.integrations.remove(projectId, developerId, provider)),
  })
  return {
    ...{ world, core, projectId, ownerId, by },
    ...by(ownerId),
    list: () => world.run(core.integrations.list(projectId, { limit: 50, offset: 0 })),
    rows: () => world.run(world.control.read((db) => db.integrations.list({ project_id: projectId }, []))),
    refused: async (provider: IntegrationProvider, config: JsonObject) => {
      const failure = await world.run(Effect.flip(core.integrations.put(projectId, ownerId, provider, { config })))
      expect(failure).toBeInstanceOf(InvalidInput)
      const { issues } = failure.details as { readonly issues: ReadonlyArray<{ path: string; message: string }> }
      return issues
    },
  }
}

const shown: Readonly<Record<IntegrationProvider, JsonObject>> = {
  subscription: { accept_sandbox: false },
  paywall: { signature_scheme: "hex" },
  push_a: { team_id: "TEAM123456", key_id: "KEY1234567", topic: "com.example.app", environment: "production" },
  push_b: {
    service_account: {
      project_id: "example-app",
      client_email: "push@example-app.iam.example",
      token_uri: "https://oauth2.googleapis.com/token",
    },
  },
}

describe("an integration", () => {
  it.each(providers)("is set, and answered without its secrets: %s [H1.1]", async (provider) => {
    const { world, put, list } = await setUp()
    const made = await put(provider, integrationConfig(provider))
    const expected = { provider, is_active: true, has_secret: true, config: shown[provider] }
    expect(made).toEqual({ ...expected, updated_at: world.clock.now() })
    expect(await list()).toEqual({ rows: [made], total: 1 })
    expect(JSON.stringify(made)).not.toMatch(/PRIVATE KEY|-secret/)
  })

  it("is active unless it is said otherwise; left out, that stays [H1.1]", async () => {
    const { put } = await setUp()
    expect(await put("paywall")).toMatchObject({ is_active: true, has_secret: false })
    expect(await put("paywall", {}, false)).toMatchObject({ is_active: false })
    expect(await put("paywall", integrationConfig("paywall"))).toMatchObject({ is_active: false, has_secret: true })
    expect(await put("paywall", {}, true)).toMatchObject({ is_active: true, has_secret: true })
    expect(await put("subscription", {}, false)).toMatchObject({ is_active: false })
  })

  it("keeps what is left out, and null clears [H1.1]", async () => {
    const { put } = await setUp()
    await put("push_a", integrationConfig("push_a"))
    const changed = { ...shown.push_a, topic: "com.example.other", environment: "sandbox" }
    expect(await put("push_a", { topic: "com.example.other", environment: "sandbox" })).toMatchObject({
      ...{ config: changed, has_secret: true },
    })
    expect(await put("push_a", { private_key: null })).toMatchObject({ config: changed, has_secret: false })
    const cleared = { team_id: null, key_id: null, topic: null, environment: null }
    expect(await put("push_a", cleared)).toMatchObject({ config: { ...cleared, environment: "production" } })
    expect(await put("subscription", { accept_sandbox: true })).toMatchObject({ config: { accept_sandbox: true } })
    expect(await put("subscription", { accept_sandbox: null })).toMatchObject({ config: { accept_sandbox: false } })
    await put("paywall", { ...integrationConfig("paywall"), signature_scheme: "standard" })
    expect(await put("paywall", { webhook_secret: null })).toMatchObject({
      ...{ has_secret: false, config: { signature_scheme: "standard" } },
    })
    expect(await put("paywall", { signature_scheme: null })).toMatchObject({ config: { signature_scheme: "hex" } })
    await put("push_b", integrationConfig("push_b"))
    expect(await put("push_b", {})).toMatchObject({ has_secret: true, config: shown.push_b })
    expect(await put("push_b", { service_account: null })).toMatchObject({
      ...{ has_secret: false, config: { service_account: null } },
    })
  })

  it("ignores unknown keys, also those that every object has [A5]", async () => {
    const { put, rows } = await setUp()
    const config = JSON.parse(
      '{"__proto__":{"a":1},"constructor":"x","team_id":"T","secret":"canary","hasOwnProperty":1}',
    )
    await put("paywall", { ...config, ...integrationConfig("paywall") })
    const [row] = await rows()
    expect(row?.config).toEqual({})
    expect(JSON.stringify(row)).not.toContain("canary")
  })

  it("keeps the whole service account for the gateway, and tells what is public of it", async () => {
    const { world, projectId, put } = await setUp()
    const { service_account } = integrationConfig("push_b") as { service_account: JsonObject }
    const { token_uri: _, ...without } = service_account
    const answered = await put("push_b", { service_account: { ...without, private_key_id: "id-1", auth_uri: "x" } })
    expect(answered.config).toEqual(shown.push_b)
    const found = await world.run(makeFindIntegration(world.ports)(projectId, "push_b"))
    expect(found?.service_account).toEqual({
      ...{ ...service_account, private_key_id: "id-1", auth_uri: "x" },
    })
  })

  it("is gone when it is removed, also when it was not there [A7]", async () => {
    const { world, projectId, put, remove, list } = await setUp()
    const find = makeFindIntegration(world.ports)
    await put("paywall", integrationConfig("paywall"))
    expect(await world.run(find(projectId, "paywall"))).not.toBeNull()
    await remove("paywall")
    await remove("paywall")
    expect(await list()).toEqual({ rows: [], total: 0 })
    expect(await world.run(find(projectId, "paywall"))).toBeNull()
    expect(await put("paywall")).toMatchObject({ has_secret: false })
  })
})

describe("what an integration may have", () => {
  const secret = (webhook_secret: unknown) => ({ webhook_secret }) as JsonObject
  test.each(["subscription", "paywall"] as const)("%s: a secret of 16 to 256 characters [H1.2]", async (provider) => {
    const { put, refused } = await setUp()
    for (const length of [16, 17, 255, 256]) {
      expect(await put(provider, secret("s".repeat(length)))).toMatchObject({ has_secret: true })
    }
    for (const wrong of [
      "",
      "s".repeat(15),
      "s".repeat(257),
      "canary-canary-canary\0",
      `${"s".repeat(20)}\ud800`,
      1,
      {},
      [],
      true,
    ]) {
      const issues = await refused(provider, secret(wrong))
      expect(new Set(issues.map(({ path }) => path))).toEqual(new Set(["config.webhook_secret"]))
      expect(JSON.stringify(issues)).not.toMatch(/canary/)
    }
  })

  test("subscription: a secret that a header can carry, since the provider sends it there", async () => {
    const { put, refused } = await setUp()
    expect(await put("subscription", secret("with spaces inside: ~!"))).toMatchObject({ has_secret: true })
    for (const wrong of [
      " ".repeat(16),
      ` ${"s".repeat(16)}`,
      `${"s".repeat(16)} `,
      "ü".repeat(16),
      `${"s".repeat(16)}\ns`,
    ]) {
      expect(await refused("subscription", secret(wrong))).toMatchObject([
        { path: "config.webhook_secret", message: "must be printable ASCII without spaces at its ends" },
      ])
    }
    expect(await put("paywall", secret("ü".repeat(16)))).toMatchObject({ has_secret: true })
  })

  test("push_a: a P-256 key in PKCS8 PEM, and names that fit into tokens and headers [H1.1]", async () => {
    const { put, refused } = await setUp()
    const { es256, rs256 } = testPrivateKeys()
    expect(await put("push_a", { private_key: es256 })).toMatchObject({ has_secret: true })
    const p384 = generateKeyPairSync("ec", { namedCurve: "secp384r1" }).privateKey
    const wrong = [rs256, p384.export({ type: "pkcs8", format: "pem" }).toString(), "", "canary", es256.slice(0, 80)]
    for (const private_key of [...wrong, `${es256}${" ".repeat(8_192)}`, 1, {}]) {
      const issues = await refused("push_a", { private_key } as JsonObject)
      expect(issues.map(({ path }) => path)).toEqual(["config.private_key"])
      expect(JSON.stringify(issues)).not.toMatch(/canary|BEGIN/)
    }
    const bad = { team_id: "a b", key_id: "", topic: "com.example\r\nx: y", environment: "staging" }
    expect((await refused("push_a", bad)).map(({ path }) => path).sort()).toEqual([
      ...["config.environment", "config.key_id", "config.team_id", "config.topic"],
    ])
    expect(await refused("push_a", { team_id: "a".repeat(65) })).toHaveLength(1)
    expect(await refused("push_a", { topic: "a".repeat(256) })).toHaveLength(1)
  })

  test("push_b: a service account with an RSA key that fetches its tokens from Google [H1.1, H4.2]", async () => {
    const { put, refused } = await setUp()
    const { service_account: account } = integrationConfig("push_b") as { service_account: JsonObject }
    const { es256, rs256 } = testPrivateKeys()
    const paths = async (given: JsonObject) =>
      (await refused("push_b", { service_account: { ...account, ...given } })).map(({ path }) => path)
    for (const private_key of [es256, "", "canary", 1, null]) {
      expect(await paths({ private_key })).toEqual(["config.service_account.private_key"])
    }
    for (const token_uri of ["https://evil.example/token", "https://oauth2.googleapis.com/token/", "", "x", 1]) {
      expect(await paths({ token_uri })).toContain("config.service_account.token_uri")
    }
    expect(await paths({ project_id: "a/../b" })).toEqual(["config.service_account.project_id"])
    expect(await paths({ client_email: "" })).toEqual(["config.service_account.client_email"])
    expect(await paths({ more: "x".repeat(16_384) })).toEqual(["config.service_account"])
    const nothing = await refused("push_b", { service_account: {} })
    expect(nothing.map(({ path }) => path).sort()).toEqual([
      ...["client_email", "private_key", "project_id"].map((name) => `config.service_account.${name}`),
    ])
    for (const wrong of ["text", 1, [], true])
      expect(await refused("push_b", { service_account: wrong })).toHaveLength(1)
    expect(rs256).toBeTruthy()
    expect(await put("push_b", { service_account: account })).toMatchObject({ has_secret: true })
  })

  test("a stand-in for FCM: tokens may come from its origin [H4.2]", async () => {
    const stand = "http://127.0.0.1:9099/fcm"
    const google = "https://oauth2.googleapis.com/token"
    expect([google].map((uri) => isTokenUri(uri, null))).toEqual([true])
    const near = ["http://127.0.0.1:9099/token", "http://127.0.0.1:9099/", google]
    expect(near.map((uri) => isTokenUri(uri, stand))).toEqual([true, true, true])
    const far = ["http://127.0.0.1:9098/token", "https://127.0.0.1:9099/token", "http://127.0.0.1.example:9099/"]
    const tricks = ["http://u:p@127.0.0.1:9099/token", "//127.0.0.1:9099/token", "http://127.0.0.1:9099@evil.example/"]
    expect([...far, ...tricks].map((uri) => isTokenUri(uri, stand))).toEqual([...far, ...tricks].map(() => false))
    expect(isTokenUri("http://127.0.0.1:9099/token", null)).toBe(false)

    const { world, projectId, ownerId, refused } = await setUp()
    const { service_account: account } = integrationConfig("push_b") as { service_account: JsonObject }
    const config = { service_account: { ...account, token_uri: "http://127.0.0.1:9099/token" } }
    expect(await refused("push_b", config)).toHaveLength(1)
    const other = createEngagement(world.ports, { pushBUrl: stand })
    const made = await world.run(other.integrations.put(projectId, ownerId, "push_b", { config }))
    expect(made.config).toMatchObject({ service_account: { token_uri: "http://127.0.0.1:9099/token" } })
  })
})

describe("who changes integrations", () => {
  it("owns or administers the project, at the moment of the change [B1, B3]", async () => {
    const { world, core, projectId, ownerId, by, list } = await setUp()
    const invite = async (role: "admin" | "viewer") => {
      const email = `${role}@example.com`
      const { developer } = await world.run(core.developers.signup({ email, password: "correct horse" }))
      await world.run(core.members.create(projectId, ownerId, { email, role }))
      return developer.id
    }
    const [admin, viewer] = [await invite("admin"), await invite("viewer")]
    await by(admin).put("paywall", integrationConfig("paywall"))
    const no = async (work: Promise<unknown>) =>
      expect(
        await work.then(
          () => null,
          (error) => error,
        ),
      ).toBeInstanceOf(Forbidden)
    await no(by(viewer).put("paywall", {}, false))
    await no(by(viewer).remove("paywall"))
    await world.run(core.members.update(projectId, ownerId, admin, { role: "viewer" }))
    await no(by(admin).put("paywall", {}, false))
    await no(by(admin).remove("paywall"))
    expect((await list()).rows).toMatchObject([{ provider: "paywall", is_active: true }])
  })

  it("may be several at once: their changes are merged, and none is lost", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { put, list } = await setUp()
      if (round % 2 === 0) await put("push_a")
      const { team_id, key_id, topic, private_key } = integrationConfig("push_a") as Record<string, string>
      const parts = [{ team_id }, { key_id }, { topic }, { private_key }, { environment: "sandbox" }]
      await Promise.all([...parts.map((part) => put("push_a", part as JsonObject)), put("push_a", {}, false)])
      expect((await list()).rows).toMatchObject([
        { is_active: false, has_secret: true, config: { ...shown.push_a, environment: "sandbox" } },
      ])
    }
  })
})

describe("a change of an integration", () => {
  it("holds at once here, and within a second elsewhere", async () => {
    const { world, projectId, ownerId, put } = await setUp()
    const here = makeFindIntegration(world.ports)
    const revocations = world.revocations.otherProcess()
    const there = makeFindIntegration({ ...world.ports, revocations })
    const secretAt = async (find: typeof here) => (await world.run(find(projectId, "paywall")))?.webhook_secret
    await put("paywall", { webhook_secret: "the first secret" })
    expect([await secretAt(here), await secretAt(there)]).toEqual(["the first secret", "the first secret"])
    await put("paywall", { webhook_secret: "the second secret" })
    expect(await secretAt(here)).toBe("the second secret")
    await world.advance("1 second")
    expect(await secretAt(there)).toBe("the second secret")
    await world.run(world.core.integrations.remove(projectId, ownerId, "paywall"))
    expect(await secretAt(here)).toBeUndefined()
  })

  it("has another version each time, also when it was removed in between", async () => {
    const { world, projectId, put, remove } = await setUp()
    const find = makeFindIntegration(world.ports)
    const versions = new Set<string | undefined>()
    for (const secret of ["a", "a", "b"]) {
      await put("paywall", { webhook_secret: secret.repeat(16) })
      versions.add((await world.run(find(projectId, "paywall")))?.version)
    }
    await remove("paywall")
    await put("paywall", { webhook_secret: "c".repeat(16) })
    versions.add((await world.run(find(projectId, "paywall")))?.version)
    expect(versions.size).toBe(4)
  })

  it("has another version after a restore, also where there were as many changes before it", async () => {
    const { world, projectId, put, rows } = await setUp()
    const find = makeFindIntegration(world.ports)
    const versionNow = async () => (await world.run(find(projectId, "paywall")))?.version
    await put("paywall", { webhook_secret: "a".repeat(16) })
    const [saved] = await rows()
    await put("paywall", { webhook_secret: "b".repeat(16) })
    const before = await versionNow()
    await world.advance("1 minute")
    const { id = "", ...columns } = saved ?? {}
    await world.run(Effect.orDie(world.control.read((db) => db.integrations.update(id, columns))))
    await put("paywall", { webhook_secret: "c".repeat(16) })
    expect(await versionNow()).not.toBe(before)
  })

  it("leaves a secret alone that cannot be read, until it is set again [H1.2]", async () => {
    const { world, projectId, ownerId, put, rows } = await setUp()
    await put("paywall", { webhook_secret: "the first secret" })
    const [before] = await rows()
    const lost = createEngagement({ ...world.ports, secrets: memorySecretBox(["new"]) })
    const change = (config: JsonObject) => world.run(lost.integrations.put(projectId, ownerId, "paywall", { config }))
    expect(await change({ signature_scheme: "standard" })).toMatchObject({ has_secret: false })
    expect((await rows())[0]).toMatchObject({ sealed: before?.sealed, sealed_with: before?.sealed_with })
    expect(await change({ webhook_secret: "the second secret" })).toMatchObject({
      ...{ has_secret: true, config: { signature_scheme: "standard" } },
    })
    expect((await rows())[0]?.sealed_with).toBe(memorySecretBox(["new"]).fingerprints[0])
  })
})
