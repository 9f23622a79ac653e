import { describe, expect, it } from "vitest"
import { type Document, renderApiPage } from "../../src/generate/api-page.ts"
import { openApi } from "../../src/http/openapi/openapi.ts"
import { sampleGroups } from "../http/sample-routes.ts"

const page = renderApiPage(sampleGroups, openApi(sampleGroups, "1.2.3") as unknown as Document)

/** The section of a route. */
const partOf = (heading: string): string => page.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? ""

describe("docs/api.md", () => {
  it("says which paths are not below /v1", () => {
    expect(partOf("GET /n/:title")).toContain("This path is not below `/v1`.")
    expect(partOf("GET /client/links/:title")).not.toContain("below")
  })

  it("says that a redirect has an address, and which errors it has instead", () => {
    const part = partOf("GET /n/:projectId/:title")
    expect(part).toContain("Success: 302, the address in `Location`\n")
    expect(part).toContain("404 `NOT_FOUND`")
  })

  it("shows a body that is not wrapped in data", () => {
    expect(partOf("GET /.well-known/notes")).toContain("Success: 200, `notes`\n")
  })
})
