import { createPrivateKey, randomUUID, sign } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Credentials } from "../harness/api.ts"
import {
  aDeveloper,
  aProject,
  aUser,
  type TestDeveloper,
  type TestProject,
  type TestUser,
} from "../harness/fixtures.ts"
import { makeHarness, someJwtKeys, type TestServer } from "../harness/harness.ts"

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString())

/** A token like one of the service, with other claims, signed by one of the keys. */
const resign = (token: string, jwtKeys: string, claims: object): string => {
  const [header = "", body] = token.split(".")
  const text = `${header}.${encode({ ...decode(body), ...claims })}`
  const key = createPrivateKey({ key: JSON.parse(jwtKeys).keys[0], format: "jwk" })
  return `${text}.${sign(null, Buffer.from(text), key).toString("base64url")}`
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const tokenOf = ({ as }: { readonly as: Credentials }) => (as["authorization"] ?? "").replace("Bearer ", "")

describe("a refused credential", () => {
  const harness = makeHarness()
  const jwtKeys = someJwtKeys()
  let server: TestServer
  let developer: TestDeveloper
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder(), JWT_KEYS: jwtKeys })
    developer = await aDeveloper(server.api)
    project = await aProject(server.api, developer)
    user = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const refusal = async (path: string, as: Credentials) => {
    const { status, code, headers, text } = await server.api.call("GET", path, as)
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"])
    expect(JSON.parse(text).error).toEqual({ code, message: expect.any(String), request_id: expect.any(String) })
    return `${code}: ${JSON.parse(text).error.message}`
  }
  const ofApp = (as: Credentials) => refusal("/client/users/me", as)
  const ofDeveloper = (as: Credentials) => refusal(project.admin, as)
  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  const expired = { iat: hourAgo - 60, exp: hourAgo }
  const expiry = new Date(hourAgo * 1000).toISOString()

  it("of an app says what is wrong with its key", async () => {
    expect(await ofApp({})).toBe(
      "UNAUTHORIZED: The client key is missing: send the project's key in the header X-Api-Key.",
    )
    expect(await ofApp({ "x-api-key": "pk one, pk two" })).toBe(
      "UNAUTHORIZED: The header X-Api-Key must be one client key, which begins with pk_.",
    )
    const unknown = "UNAUTHORIZED: The client key is unknown: it is not the key of a project, or it was revoked."
    expect(await ofApp({ "x-api-key": "pk_canary7c1f" })).toBe(unknown)
    const made = await server.api.ok<{ id: string; key: string }>("POST", `${project.admin}/api-keys`, developer.as, {})
    await server.api.ok("DELETE", `${project.admin}/api-keys/${made.id}`, developer.as)
    expect(await ofApp({ ...user.as, "x-api-key": made.key })).toBe(unknown)
  })

  it("of an app says what is wrong with its user's token", async () => {
    const { app } = project
    const of = (token: string) => ofApp({ ...app, ...bearer(token) })
    const malformed = "INVALID_TOKEN: The token is malformed: a user's session token is needed, as it was issued."
    expect(await ofApp(app)).toBe(
      "UNAUTHORIZED: The credential is missing: send the header Authorization with Bearer and a user's session token.",
    )
    for (const token of ["canary 7c1f", "canary7c1f", "a.b.c"]) expect(await of(token)).toBe(malformed)
    expect(await of(resign(user.sessionToken, someJwtKeys(), {}))).toBe(
      "INVALID_TOKEN: The token was not issued by this service, or its signing key is gone.",
    )
    expect(await of(resign(user.sessionToken, jwtKeys, expired))).toBe(`INVALID_TOKEN: The token expired at ${expiry}.`)
    expect(await of(tokenOf(developer))).toBe(
      "INVALID_TOKEN: This is a developer's access token; a user's session token is needed.",
    )
    const { refresh_token } = await server.api.ok<{ refresh_token: string }>("POST", "/client/auth/anonymous", app)
    expect(await of(refresh_token)).toBe(
      "INVALID_TOKEN: This is a user's refresh token; a user's session token is needed.",
    )
  })

  it("of an app says that the session is of another project", async () => {
    const other = await aProject(server.api, developer)
    expect(await ofApp({ ...user.as, ...other.app })).toBe(
      "INVALID_TOKEN: The session token belongs to another project than the client key.",
    )
  })

  it("of an app says that the session has ended, and not how", async () => {
    const ended =
      "INVALID_TOKEN: The session has ended: it was logged out or revoked, or its user was disabled or deleted."
    const [disabled, deleted] = [await aUser(server.api, project), await aUser(server.api, project)]
    await server.api.ok("PATCH", `${project.admin}/users/${disabled.id}`, developer.as, { is_disabled: true })
    await server.api.ok("DELETE", "/client/users/me", deleted.as)
    const out = await server.api.ok<{ session_token: string; refresh_token: string }>(
      "POST",
      "/client/auth/anonymous",
      project.app,
    )
    await server.api.ok("POST", "/client/auth/logout", project.app, { refresh_token: out.refresh_token })
    expect(await ofApp(disabled.as)).toBe(ended)
    expect(await ofApp(deleted.as)).toBe(ended)
    expect(await ofApp({ ...project.app, ...bearer(out.session_token) })).toBe(ended)
  })

  it("of a developer says what is wrong with the token", async () => {
    const malformed = "UNAUTHORIZED: The token is malformed: a developer's access token is needed, as it was issued."
    const missing =
      "UNAUTHORIZED: The credential is missing: send the header Authorization with Bearer and a developer's access token."
    expect(await ofDeveloper({})).toBe(missing)
    expect(await ofDeveloper(project.app)).toBe(missing)
    for (const authorization of ["Basic Y2FuYXJ5", tokenOf(developer)]) {
      expect(await ofDeveloper({ authorization })).toBe(
        "UNAUTHORIZED: The header Authorization must be the word Bearer, a space and a developer's access token.",
      )
    }
    for (const token of ["canary 7c1f", "canary7c1f"]) expect(await ofDeveloper(bearer(token))).toBe(malformed)
    expect(await ofDeveloper(bearer(resign(tokenOf(developer), jwtKeys, expired)))).toBe(
      `UNAUTHORIZED: The token expired at ${expiry}.`,
    )
    expect(await ofDeveloper(user.as)).toBe(
      "UNAUTHORIZED: This is a user's session token; a developer's access token is needed.",
    )
  })

  it("of a developer is the same to the byte for a project of others and for none", async () => {
    const others = await aProject(server.api)
    const answers = await Promise.all(
      [others.id, others.id.toUpperCase(), randomUUID(), "nonsense", "%00"].map(async (id) => {
        const response = await server.api.call("GET", `/admin/projects/${id}/streaks?limit=5`, {
          ...developer.as,
          "x-request-id": "same",
        })
        const headers = [...response.headers].filter(([name]) => name !== "date")
        return { status: response.status, headers, text: response.text }
      }),
    )
    const [first] = answers
    expect(first).toMatchObject({ status: 403, text: expect.stringContaining('"request_id":"same"') })
    expect(JSON.parse(first?.text ?? "").error).toEqual({
      code: "FORBIDDEN",
      message: "There is no project with this id among yours.",
      request_id: "same",
    })
    for (const answer of answers) expect(answer).toEqual(first)
  })
})
