import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openRealService, type RealService } from "../routes/real-service.ts"

const account = { email: `${crypto.randomUUID()}@example.com`, password: "correct horse" }

// Each with a field that the contract requires, empty.
const calls: ReadonlyArray<readonly [path: string, body: object, field: string]> = [
  ["/client/auth/email/login", { ...account, email: "" }, "email"],
  ["/client/auth/email/login", { ...account, password: "" }, "password"],
  ["/client/auth/magic-link/verify", { token: "" }, "token"],
  ["/client/auth/refresh", { refresh_token: "" }, "refresh_token"],
  ["/client/auth/logout", { refresh_token: "" }, "refresh_token"],
  ["/auth/developer/login", { ...account, email: "" }, "email"],
  ["/auth/developer/login", { ...account, password: "" }, "password"],
  ["/auth/developer/refresh", { refresh_token: "" }, "refresh_token"],
  ["/auth/developer/logout", { refresh_token: "" }, "refresh_token"],
]

describe("an empty credential", () => {
  let service: RealService
  let headers: Readonly<Record<string, string>> = {}

  const post = async (path: string, body: object) => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers } }
    const answer = await service.fetch(
      new Request(`http://hearth.test/v1${path}`, { ...init, body: JSON.stringify(body) }),
    )
    return { status: answer.status, ...((await answer.json()) as { data?: Record<string, string>; error?: object }) }
  }

  beforeAll(async () => {
    service = await openRealService()
    const { data: developer } = await post("/auth/developer/signup", account)
    headers = { authorization: `Bearer ${developer?.["access_token"]}` }
    const { data: project } = await post("/admin/projects", { name: "Empty" })
    headers = { "x-api-key": project?.["client_api_key"] ?? "" }
  })
  afterAll(() => service.close())

  it.each(calls)("is missing: POST %s %j [A5]", async (path, body, field) => {
    const { status, error } = await post(path, body)
    const issue = { path: field, message: "must be at least 1 character" }
    expect({ status, error }).toMatchObject({
      status: 400,
      error: { code: "INVALID_INPUT", details: { issues: [issue] } },
    })
  })
})
