import { describe, expect, it } from "vitest"
import { routes } from "../../src/routes/index.ts"
import { operationIds } from "./operation-ids.ts"

const published = operationIds.trim().split("\n").sort()

describe("the ids of operations", () => {
  it("are those that were published, and new ones are written down", () => {
    expect(routes.map(({ method, path, options }) => `${options.id} ${method} ${path}`).sort()).toEqual(published)
  })

  it("are short words, with `client` before those of the client plane", () => {
    for (const { path, options } of routes) {
      expect(options.id).toMatch(/^[a-z]\w*(\.[a-z]\w*){1,4}$/i)
      expect(options.id.startsWith("client.")).toBe(path.startsWith("/client/"))
    }
  })
})
