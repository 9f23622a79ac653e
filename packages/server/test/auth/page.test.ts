import { execFile } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { issue, openKeyServer, publishKeys, signingKey } from "@hearth/test-services/identity-provider"
import { createRemoteJWKSet, jwtVerify } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const page = readFileSync(new URL("../../../../docs/auth.md", import.meta.url), "utf8")
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block)

const apple = { key: signingKey("apple"), issuer: "https://apple.test", audience: "com.example.app" }
const google = { key: signingKey("google"), issuer: "https://google.test", audience: "web.example.app" }

describe("docs/auth.md", () => {
  const harness = makeHarness()
  const folder = harness.folder()
  const providers: Array<{ close(): Promise<void> }> = []
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    const appleKeys = await openKeyServer(publishKeys([apple.key.jwk]))
    const googleKeys = await openKeyServer(publishKeys([google.key.jwk]))
    providers.push(appleKeys, googleKeys)
    server = await harness.server({
      DATA_DIR: harness.folder(),
      IDP_A_ISSUERS: apple.issuer,
      IDP_A_JWKS_URL: appleKeys.jwksUrl,
      IDP_B_ISSUERS: google.issuer,
      IDP_B_JWKS_URL: googleKeys.jwksUrl,
    })
    project = await aProject(server.api)
    const audiences = { bundle_id: apple.audience, oauth_client_id: google.audience }
    await server.api.ok("PATCH", project.admin, project.owner.as, audiences)
  })
  afterAll(async () => {
    await harness.clear()
    await Promise.all(providers.map((provider) => provider.close()))
  })

  const tokenOf = ({ key, issuer, audience }: typeof apple, nonce?: string) => {
    const now = Math.floor(Date.now() / 1000)
    const sent = nonce === undefined ? {} : { nonce: createHash("sha256").update(nonce).digest("hex") }
    return issue(key, { iss: issuer, aud: audience, sub: randomUUID(), iat: now, exp: now + 600, ...sent })
  }

  it("runs as it is written, from the first request to the last", async () => {
    const nonce = randomUUID()
    const given = [
      `key=${project.clientKey}`,
      `nonce=${nonce}`,
      `apple_token=${tokenOf(apple, nonce)}`,
      `google_token=${tokenOf(google)}`,
    ]
    const script = [...given, ...blocks].join("\n").replace(/^api=.*$/m, `api=${server.url}/v1`)
    expect(script).toContain(server.url)
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: folder })
    expect(stdout).toContain('{"data":{"ok":true}}')
    expect(stdout).toContain('"is_current":true')
    expect(stdout).toMatch(/\{"data":\{"success":true\}\}$/)
    expect(stdout).not.toContain('"error"')

    const answered = (name: string) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")).data
    expect(answered("google").user.auth_providers.map(({ provider }: { provider: string }) => provider)).toEqual([
      "idp_a",
      "idp_b",
    ])
    expect(answered("ann").user.email).toBe("ann@example.com")
    expect(answered("bob").user.email).toBe("bob@example.com")
  })

  it("has an example that verifies a session with the public keys and jose alone", async () => {
    const { session_token, user } = await server.api.ok<{ session_token: string; user: { id: string } }>(
      "POST",
      "/client/auth/anonymous",
      project.app,
    )
    const keys = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`))
    const options = /jwtVerify\(sessionToken, keys, (\{.*?\})\)/s.exec(page)?.[1] ?? ""
    // The options are read from the page, so that a wrong page fails.
    const demanded = Object.fromEntries(
      [...options.matchAll(/(\w+): (\["?\w+"?\]|"[^"]+")/g)].map(([, name = "", value = ""]) => [
        name,
        JSON.parse(value),
      ]),
    )
    expect(Object.keys(demanded)).toEqual(["algorithms", "audience", "typ", "issuer"])
    const { payload } = await jwtVerify(session_token, keys, demanded)
    expect(payload).toMatchObject({ sub: user.id, pid: project.id })
    await expect(jwtVerify(session_token, keys, { ...demanded, audience: "hearth-refresh" })).rejects.toThrow("aud")
  })
})
