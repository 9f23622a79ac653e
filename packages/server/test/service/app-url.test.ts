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
