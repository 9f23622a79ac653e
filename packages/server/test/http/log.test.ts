import { describe, expect, it } from "vitest"
import { as, ask, clientKey, projectId, sampleApp } from "./sample-app.ts"

const line = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
  const { app, log } = sampleApp()
  await ask(app, method, path, { headers })
  expect(log.lines).toHaveLength(1)
  return log.lines[0]
}
const notes = (id: string) => `/v1/admin/projects/${id}/notes`

describe("the line of a request", () => {
  it.each([
    ["its path", notes(projectId), as.viewer, 200],
    ["its path in capitals", notes(projectId.toUpperCase()), as.viewer, 200],
    ["its path, also where the caller is refused", notes(projectId), {}, 401],
    ["its key", "/v1/client/export", as.user, 200],
    ["its key, also where the session is refused", "/v1/client/export", { "x-api-key": clientKey }, 401],
  ])("names the project of %s, and the request", async (_, path, headers, status) => {
    expect(await line(path, headers)).toMatchObject({
      ...{ level: "info", message: "request" },
      facts: { request_id: "made-1", project_id: projectId, status, ms: expect.any(Number) },
    })
  })

  it.each([
    ["is none", notes("none"), as.viewer],
    ["nobody knows", "/v1/client/export", { "x-api-key": "pk_of_nobody" }],
  ])("names no project where it %s", async (_, path, headers) => {
    expect((await line(path, headers))?.facts).not.toHaveProperty("project_id")
  })

  it.each(["/health/live", "/health/ready", "/metrics"])("is for debugging where it is a probe: %s", async (path) => {
    for (const method of ["GET", "HEAD"]) expect((await line(path, {}, method))?.level).toBe("debug")
    expect((await line(path, {}, "POST"))?.facts).toMatchObject({ status: 405 })
  })
})
