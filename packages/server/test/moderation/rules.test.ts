import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("rules of moderation, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  })
  afterAll(harness.clear, 30_000)

  const admin = (method: string, path: string, body?: unknown) =>
    server.api.call<{ id: string }>(method, `/admin/projects/${project.id}/moderation/${path}`, project.owner.as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const rule = (config: unknown, rule_type: unknown = "keyword") =>
    admin("POST", "rules", { name: "Rule", rule_type, config })

  it.each([
    ["keyword", { keywords: ["a"] }],
    ["keyword", { keywords: ["a"], match: "substring", action: "reject", more: 1 }],
    ["keyword", { keywords: Array.from({ length: 1_000 }, (_, n) => `k${n}`) }],
    ["regex", { pattern: "a+", action: "hold" }],
    ["regex", { pattern: "a".repeat(1_000) }],
    ["link", {}],
    ["link", { allow_domains: ["example.com"], deny_domains: [], action: "flag" }],
    ["link", { allow_domains: null, deny_domains: ["bücher.example"] }],
  ])("makes a %s rule of %j, and keeps its config [I6.1]", async (rule_type, config) => {
    const { status, data } = await rule(config, rule_type)
    expect(status).toBe(201)
    expect(data).toMatchObject({ rule_type, config, is_active: true })
  })

  it.each([
    ["keyword", {}],
    ["keyword", { keywords: [] }],
    ["keyword", { keywords: "a" }],
    ["keyword", { keywords: [1] }],
    ["keyword", { keywords: [""] }],
    ["keyword", { keywords: ["\u200b"] }],
    ["keyword", { keywords: Array.from({ length: 1_001 }, (_, n) => `k${n}`) }],
    ["keyword", { keywords: ["a"], match: "prefix" }],
    ["keyword", { keywords: ["a"], action: "block" }],
    ["keyword", { keywords: ["a"], action: null }],
    ["keyword", []],
    ["keyword", null],
    ["keyword", "a"],
    ["regex", {}],
    ["regex", { pattern: "" }],
    ["regex", { pattern: "(" }],
    ["regex", { pattern: "(?=a)" }],
    ["regex", { pattern: "(a)\\1" }],
    ["regex", { pattern: "a".repeat(1_001) }],
    ["regex", { pattern: "(a{0,1000}){0,1000}" }],
    ["regex", { pattern: "a{1000}".repeat(100) }],
    ["link", { allow_domains: "example.com" }],
    ["link", { allow_domains: ["https://example.com"] }],
    ["link", { deny_domains: ["a b"] }],
    ["link", { deny_domains: [""] }],
    ["bayes", {}],
    ["", {}],
  ])("refuses a %s rule of %j [I6.1]", async (rule_type, config) => {
    expect(brief(await rule(config, rule_type))).toEqual([400, "INVALID_RULE_CONFIG"])
    expect(brief(await admin("POST", "rules/preview", { rule_type, config }))).toEqual([400, "INVALID_RULE_CONFIG"])
  })

  it("refuses a rule without its fields", async () => {
    for (const body of [
      {},
      { name: "n", rule_type: "link" },
      { name: "", rule_type: "link", config: {} },
      { name: "n", config: {} },
    ])
      expect(brief(await admin("POST", "rules", body))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await rule({}, 7))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await admin("POST", "rules/preview", { config: {} }))).toEqual([400, "INVALID_INPUT"])
  })

  it("changes a rule where type and config fit each other afterwards [I6.1]", async () => {
    const { data } = await rule({ keywords: ["a"] })
    const patch = (body: unknown, id = data.id) => admin("PATCH", `rules/${id}`, body)
    expect(brief(await patch({ rule_type: "regex" }))).toEqual([400, "INVALID_RULE_CONFIG"])
    expect(brief(await patch({ config: { pattern: "a" } }))).toEqual([400, "INVALID_RULE_CONFIG"])
    expect(brief(await patch({ config: null }))).toEqual([400, "INVALID_RULE_CONFIG"])
    expect(await patch({ rule_type: "regex", config: { pattern: "a" }, name: "New" })).toMatchObject({
      ...{
        status: 200,
        data: { id: data.id, name: "New", rule_type: "regex", config: { pattern: "a" }, is_active: true },
      },
    })
    expect(await patch({ unknown: 1 })).toMatchObject({ status: 200, data: { name: "New" } })
    expect(brief(await patch({ name: "x" }, randomUUID()))).toEqual([404, "NOT_FOUND"])
    expect(brief(await patch({ name: "x" }, "nobody"))).toEqual([404, "NOT_FOUND"])
    for (const _ of [1, 2]) expect(brief(await admin("DELETE", `rules/${data.id}`))).toEqual([200, null])
    expect(brief(await patch({ name: "x" }))).toEqual([404, "NOT_FOUND"])
  })
})
