import { type PostgresProxy, startPostgresProxy } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("calls of which a server that stops has heard no more", () => {
  const harness = makeHarness()
  let proxy: PostgresProxy
  let server: TestServer

  beforeAll(async () => {
    const { environment } = await harness.database()
    const url = environment["DATABASE_URL"] ?? ""
    proxy = await startPostgresProxy(url)
    server = await harness.server({ ...environment, DATABASE_URL: proxy.through(url) })
  })
  afterAll(async () => {
    await harness.clear()
    await proxy.close()
  })

  it("are 503, and say of a write that its outcome is unknown", async () => {
    const project = await aProject(server.api)
    const { admin, owner } = project
    const { id } = await aUser(server.api, project)
    const isStalled = [proxy.stallAt("insert-and-queue-event"), proxy.stallAt("currencies")]
    const calls = [
      server.api.call("POST", `${admin}/events`, owner.as, { app_user_id: id, event_name: "lesson" }),
      server.api.call("GET", `${admin}/currencies`, owner.as),
    ]
    await Promise.all(isStalled)
    expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null })
    const answers = (await Promise.all(calls)).map(({ status, code, headers, text }) => ({
      ...{ status, code, retry: headers.has("retry-after"), details: JSON.parse(text).error.details },
    }))
    const refused = { status: 503, code: "SERVICE_UNAVAILABLE", retry: true }
    expect(answers).toEqual([{ ...refused, details: { outcome: "unknown" } }, refused])
  })
})
