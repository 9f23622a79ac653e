import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readServerConfig } from "../../src/config.ts"
import { parseLimits } from "../../src/limit-settings.ts"
import { someJwtKeys, someSecretsKey } from "../harness/harness.ts"

const limitsIn = (environment: Readonly<Record<string, string>>) =>
  Result.getOrThrow(readServerConfig(environment)).limits
const production = { DATABASE_URL: "postgres://localhost/x", JWT_KEYS: someJwtKeys(), SECRETS_KEY: someSecretsKey() }

describe("the settings of limits", () => {
  it("are those of [B14] and [I0.1] where nothing is set", () => {
    const limit = (points: number, seconds: number) => [{ points, seconds }]
    expect(limitsIn(production)).toEqual({
      login_per_email_and_address: limit(10, 900),
      login_per_email: limit(100, 3_600),
      login_per_address: limit(300, 3_600),
      email_signup: limit(100, 3_600),
      refused_tokens: limit(60, 60),
      sign_in: limit(1_000, 60),
      user_writes: limit(600, 10),
      feature_writes: [...limit(600, 60), ...limit(20_000, 86_400)],
      reports: limit(60, 3_600),
      invite_tries: limit(20, 60),
      new_groups: limit(60, 3_600),
      new_conversations: limit(120, 3_600),
      new_media: limit(200, 86_400),
      user_events: limit(5_000, 10),
      unknown_codes: limit(20, 3_600),
      webhooks: limit(100, 1),
      project_creation: [...limit(20, 60), ...limit(200, 86_400)],
      owned_projects: null,
      exempts_loopback: false,
    })
    expect(limitsIn({})).toMatchObject({
      project_creation: [...limit(120, 60), ...limit(5_000, 86_400)],
      exempts_loopback: true,
    })
  })

  it("can be set, and switched off", () => {
    const given = { LIMIT_USER_WRITES: "off", LIMIT_PROJECT_CREATION: "5 per hour", PROJECTS_PER_DEVELOPER: "3" }
    const set = { user_writes: [], project_creation: [{ points: 5, seconds: 3_600 }], owned_projects: 3 }
    expect(limitsIn(given)).toMatchObject({ ...set, exempts_loopback: true })
    expect(limitsIn({ ...production, ...given })).toMatchObject({ ...set, exempts_loopback: false })
  })

  it("are refused together at boot, each with a sentence", () => {
    const problems = readServerConfig({
      LIMIT_SIGN_IN: "many",
      LIMIT_LOGIN_PER_EMAIL: "0 per hour",
      PROJECTS_PER_DEVELOPER: "-1",
    })
    expect(Result.isFailure(problems) && problems.failure).toEqual([
      expect.stringMatching(/^LIMIT_LOGIN_PER_EMAIL: must be limits like 10 per 15 minutes/),
      expect.stringMatching(/^LIMIT_SIGN_IN: must be limits like 10 per 15 minutes/),
      expect.stringMatching(/^PROJECTS_PER_DEVELOPER: must be a number from 1 to 1000000/),
    ])
  })

  it.each([
    ["10 per 15 minutes", [{ points: 10, seconds: 900 }]],
    ["1 per second", [{ points: 1, seconds: 1 }]],
    [
      " 20 per minute , 200 per 1 day ",
      [
        { points: 20, seconds: 60 },
        { points: 200, seconds: 86_400 },
      ],
    ],
    ["off", []],
    ["", null],
    ["10", null],
    ["10 per 0 seconds", null],
    ["0 per minute", null],
    ["1.5 per minute", null],
    ["-1 per minute", null],
    ["10 per week", null],
    ["10 per 25 days", null],
    ["9999999999 per minute", null],
    ["10 per minute, 10 per 60 seconds", null],
    ["10 per minute,", null],
    ["off, 10 per minute", null],
  ])("%j", (text, expected) => {
    expect(parseLimits(text)).toEqual(expected)
  })
})
