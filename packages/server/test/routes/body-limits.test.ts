import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fullPath } from "../../src/http/routing/route.ts"
import { routes } from "../../src/routes/index.ts"
import { openRealService, type RealService } from "./real-service.ts"

const someId = "0190aaaa-bbbb-7ccc-8ddd-ffffffffffff"
const withBody = routes.filter(({ options }) => options.body !== undefined)

describe("the limit of a body [A9]", () => {
  let service: RealService
  let headers: Readonly<Record<string, string>>
  let projectId: string

  beforeAll(async () => {
    service = await openRealService()
    const post = async (path: string, body: object, as = {}) => {
      const init = {
        method: "POST",
        headers: { "content-type": "application/json", ...as },
        body: JSON.stringify(body),
      }
      const answer = await service.fetch(new Request(`http://hearth.test/v1${path}`, init))
      return ((await answer.json()) as { data: Record<string, string> }).data
    }
    const account = { email: `${crypto.randomUUID()}@example.com`, password: "correct horse" }
    const { access_token = "" } = await post("/auth/developer/signup", account)
    const developer = { authorization: `Bearer ${access_token}` }
    const project = await post("/admin/projects", { name: "Limits" }, developer)
    const key = { "x-api-key": project["client_api_key"] ?? "" }
    const { session_token = "" } = await post("/client/auth/anonymous", {}, key)
    projectId = project["id"] ?? ""
    headers = { ...key, developer: developer.authorization, user: `Bearer ${session_token}` }
  })
  afterAll(() => service.close())

  /** The status of a body of so many bytes: an empty object, and spaces. */
  const statusOf = async (route: (typeof routes)[number], bytes: number, isChunked: boolean) => {
    const path = fullPath(route)
      .replace(":projectId", projectId)
      .replace(":provider", "paywall")
      .replaceAll(/:\w+/g, someId)
    const { developer = "", user = "", ...key } = headers
    const body = new TextEncoder().encode(`{}${" ".repeat(bytes - 2)}`)
    const sent = isChunked ? { body: new Blob([body]).stream(), duplex: "half" } : { body }
    const credentials = { ...key, authorization: route.options.access === "developer" ? developer : user }
    const query = "project_id" in (route.options.query ?? {}) ? `?project_id=${projectId}` : ""
    const request = new Request(`http://hearth.test${path}${query}`, {
      ...sent,
      method: route.method,
      headers: {
        ...credentials,
        "content-type": "application/json",
        ...(isChunked ? {} : { "content-length": String(bytes) }),
      },
    } as RequestInit)
    return (await service.fetch(request)).status
  }

  // Of a conversation that is not there the use case says 403, when the body was read [I4.2].
  const isRefused = (status: number, { path }: (typeof withBody)[number]) =>
    [401, 413, 415].includes(status) || status >= 500 || (status === 403 && !path.includes("/conversations/"))

  it.each(withBody)("of $method $path is exact", async (route) => {
    const limit = route.options.bodyLimit ?? 256 * 1024
    for (const isChunked of [false, true]) {
      const fits = await statusOf(route, limit, isChunked)
      expect(isRefused(fits, route) ? fits : "read").toBe("read")
      expect(await statusOf(route, limit + 1, isChunked)).toBe(413)
    }
  })
})
