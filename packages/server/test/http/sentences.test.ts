import { describe, expect, it } from "vitest"
import { describeJsonFault } from "../../src/http/request/json-fault.ts"
import { makeNearestPath } from "../../src/http/routing/nearest-path.ts"
import { as, ask, noteId, projectId, sampleApp } from "./sample-app.ts"

const notes = `/v1/admin/projects/${projectId}/notes`

const sentence = async (response: Response) => ((await response.json()) as { error: { message: string } }).error.message

describe("the place where a text stops being JSON", () => {
  it.each([
    ["", "line 1, column 1: expected a value"],
    ["{", "line 1, column 2: expected a key in double quotes"],
    ['{"a":1,}', "line 1, column 8: expected a key in double quotes"],
    ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: expected a comma or }"],
    ['{"a" 1}', "line 1, column 6: expected a colon"],
    ["{'a':1}", "line 1, column 2: expected a key in double quotes"],
    ['{"a":NaN}', "line 1, column 6: expected a value"],
    ['{"a":01}', "line 1, column 7: expected the end of a value"],
    ["[1 2]", "line 1, column 4: expected a comma or ]"],
    ['["\\x"]', "line 1, column 3: expected an escape that JSON has"],
    ['["a\nb"]', "line 1, column 4: expected the end of a string, without a line break or control character before it"],
    ['{"a":"canary', 'line 1, column 13: expected the end of a string, which is "'],
    ["{} {}", "line 1, column 4: expected nothing more"],
    ["\uFEFF{}", "line 1, column 1: expected a value"],
  ])("of %j is %s", (text, expected) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(describeJsonFault(text)).toBe(expected)
  })

  it.each(["{}", "[]", ' { "a" : [ -1.5e+3 , null , true , { } ] }\r\n', '"\\u00e9\\n"', "0"])(
    "is not in %j",
    (text) => {
      expect(describeJsonFault(text)).toBeNull()
    },
  )
})

describe("the sentence of a refusal", () => {
  it.each([
    ["/v1/admin/project", "There is no such path. All are at /docs."],
    [
      `/v1/admin/projects/${projectId}/ntoes`,
      "There is no such path. The nearest is /v1/admin/projects/:projectId/notes (POST, GET).",
    ],
    [`/client/notes/${noteId}`, "There is no such path. The nearest is /v1/client/notes/:noteId (GET)."],
    ["/health/alive", "There is no such path. The nearest is /health/live (GET)."],
    [`/${"x/".repeat(500)}`, "There is no such path. All are at /docs."],
  ])("about the path %s", async (path, expected) => {
    expect(await sentence(await ask(sampleApp().app, "GET", path))).toBe(expected)
  })

  it("about a method names those that the path has", async () => {
    expect(await sentence(await ask(sampleApp().app, "POST", `${notes}/${noteId}`))).toBe(
      "This path has only PATCH, PUT, DELETE.",
    )
  })

  it.each([
    [
      { "content-type": "text/plain" },
      "The body came as text/plain: send JSON in UTF-8 with Content-Type application/json.",
    ],
    [{ "content-encoding": "gzip" }, "The body came with Content-Encoding gzip: send it without."],
    [
      { "content-type": "x".repeat(500) },
      "The body came as what came: send JSON in UTF-8 with Content-Type application/json.",
    ],
  ])("about the headers %j", async (headers, expected) => {
    const response = await ask(sampleApp().app, "POST", notes, { headers: { ...as.admin, ...headers }, body: "{}" })
    expect([response.status, await sentence(response)]).toEqual([415, expected])
  })

  it("about a body says where it stops being JSON, without what is there", async () => {
    const response = await ask(sampleApp().app, "POST", notes, { headers: as.admin, body: '{"title": canary-7c1f}' })
    expect(await sentence(response)).toBe("The body must be JSON: line 1, column 11: expected a value.")
  })

  it("about many faults names the first ones", async () => {
    const body = { title: "t", tags: Array<number>(50).fill(1) }
    const response = await ask(sampleApp().app, "POST", notes, { headers: as.admin, body })
    expect(await sentence(response)).toMatch(
      /^tags\[0\] must be a string; .*tags\[4\] must be a string; 45 more are in details\.issues\.$/,
    )
  })

  it("about a path that is like no other names none", () => {
    const find = makeNearestPath(["/v1/a/:id", "/v1/a/search"])
    expect([find("/v1/b/c/d/e"), find("/")]).toEqual([null, null])
  })
})
