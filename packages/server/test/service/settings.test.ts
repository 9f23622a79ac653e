import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readServerConfig } from "../../src/config.ts"
import { someJwtKeys, someSecretsKey } from "../harness/harness.ts"

const production = {
  DATABASE_URL: "postgres://db.example/hearth",
  JWT_KEYS: someJwtKeys(),
  SECRETS_KEY: someSecretsKey(),
}

describe("where a magic link points to that nothing else decides", () => {
  it.each([
    ["this service, at its port", { PORT: "9000" }, "http://127.0.0.1:9000"],
    ["what APP_URL says", { PORT: "9000", APP_URL: "http://127.0.0.1:8080" }, "http://127.0.0.1:8080"],
    ["the usual address, where the port is any", { PORT: "0" }, "http://127.0.0.1:8080"],
    ["the usual address, where the database is another's", { ...production, PORT: "9000" }, "http://127.0.0.1:8080"],
  ])("is %s", (_, environment, app) => {
    expect(Result.getOrThrow(readServerConfig(environment)).magicLinks.app).toBe(app)
  })
})

describe("a setting", () => {
  const problemsOf = (name: string, value: string) => {
    const read = readServerConfig({ [name]: value })
    return Result.isFailure(read) ? read.failure : []
  }

  const lifetime = "must be a time like"
  const base = "must be a URL without"
  const host = "must be an IP address or the name of a host"
  const count = "must be a number from 1 to 1000000"
  it.each<[name: string, value: string, sentence: string]>([
    ["SESSION_TOKEN_LIFETIME", "0 minutes", lifetime],
    ["DEVELOPER_TOKEN_LIFETIME", "0 days", lifetime],
    ["REFRESH_TOKEN_LIFETIME", "0 seconds", lifetime],
    ["REFRESH_TOKEN_LIFETIME", "3651 days", lifetime],
    ["REFRESH_TOKEN_LIFETIME", "999999999 days", lifetime],
    ["REFRESH_TOKEN_LIFETIME", "99999999999999999999999 days", lifetime],
    ["DEVELOPER_REFRESH_TOKEN_LIFETIME", "1.5 hours", lifetime],
    ["PUBLIC_URL", "https://x.example/?a=b", base],
    ["PUBLIC_URL", "https://u:pw@x.example/base", base],
    ["PUBLIC_URL", "x.example?a=b", "must be a URL that begins with"],
    ["APP_URL", "https://x.example/#top", base],
    ["MAGIC_LINK_REDIRECT_BASE_URL", "https://x.example/?", base],
    ["PUSH_A_URL", "https://x.example?a", base],
    ["STREAMS_PER_USER", "0x10", count],
    ["STREAMS_PER_SERVER", "1e3", count],
    ["STREAMS_PER_PROJECT", "1.0", count],
    ["STREAMS_PER_DEVELOPER", " 5 ", count],
    ["PROJECTS_PER_DEVELOPER", "nonsense", count],
    ["PROJECTS_PER_DEVELOPER", "1000001", count],
    ["HOST", "999.1.1.1", host],
    ["HOST", "1.2.3", host],
    ["HOST", "http://127.0.0.1", host],
    ["HOST", "127.0.0.1:8080", host],
    ["HOST", "[::1]", host],
    ["HOST", "a..b", host],
    ["HOST", "-a", host],
    ["LOG_LEVEL", "loud", "must be debug, info, warn or error"],
    ["LOG_FORMAT", "xml", "must be text or json"],
    ["PASSWORD_HASH", "md5", "must be argon2id or bcrypt"],
    ["SECRETS_KEY_LOST", "yes", "must be forget"],
  ])("%s=%s is refused at the start", (name, value, sentence) => {
    expect(problemsOf(name, value)).toEqual([expect.stringMatching(new RegExp(`^${name}: ${sentence}`))])
  })

  it.each([
    ["PUBLIC_URL", "https://u:TOPSECRET@x", "https://u:***@x/"],
    ["APP_URL", "https://TOPSECRET@x/a", "https://***@x/a"],
    ["PUSH_A_URL", "https://u:TOPSECRET@x:port", "https://***@x:port"],
    ["PUSH_B_URL", "https://u:TOP/SECRET@x?TOPSECRET", "https://***@x?***"],
    ["IDP_A_JWKS_URL", "ftp://u:TOPSECRET@x", "ftp://u:***@x/"],
    ["IDP_B_JWKS_URL", "u:TOPSECRET@x", null],
    ["MAGIC_LINK_REDIRECT_BASE_URL", "https://x/?token=TOPSECRET", "https://x/?***"],
    ["MAGIC_LINK_REDIRECT_BASE_URL", "https://x/#TOPSECRET", "https://x/#***"],
  ])("%s=%s is refused without what may be secret in it", (name, value, shown) => {
    const [problem] = problemsOf(name, value)
    const end = shown === null ? "what was given begins with u:." : `it is ${JSON.stringify(shown)}.`
    expect(problem?.slice(-end.length)).toBe(end)
    expect(problem).not.toContain("SECRET")
  })

  it.each([
    ["REFRESH_TOKEN_LIFETIME", "3650 days"],
    ["SESSION_TOKEN_LIFETIME", "1 second"],
    ["PUBLIC_URL", "https://x.example/base/"],
    ["IDP_A_JWKS_URL", "https://x.example/keys?tenant=a"],
    ["STREAMS_PER_USER", "1000000"],
    ["HOST", "0.0.0.0"],
    ["HOST", "::1"],
    ["HOST", "fe80::1%lo"],
    ["HOST", "localhost"],
    ["HOST", "api_1.host-2.example."],
  ])("%s=%s is taken", (name, value) => expect(problemsOf(name, value)).toEqual([]))
})
