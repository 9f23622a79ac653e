import { describe, expect, it } from "vitest"
import { allSettings } from "../../src/config.ts"
import { generateDocuments } from "../../src/generate/documents.ts"
import { routeFailures } from "../../src/http/routing/route-failures.ts"
import { routes } from "../../src/routes/index.ts"

const texts = generateDocuments()
const linesOf = (path: string) => (texts[path] ?? "").split("\n")

describe("the generated documents", () => {
  it("are the same every time", () => {
    expect(generateDocuments()).toEqual(texts)
  })

  it("have every route in the reference, in the order of the routes", () => {
    const headings = linesOf("docs/api.md").filter((line) => /^### [A-Z]+ \//.test(line))
    expect(headings).toEqual(routes.map(({ method, path }) => `### ${method} ${path}`))
  })

  it("describe every record that they link to, once", () => {
    const text = texts["docs/api.md"] ?? ""
    const linked = new Set([...text.matchAll(/\]\(#(\w+)\)/g)].map(([, anchor]) => anchor))
    const described = [...text.matchAll(/^### (\w+)$/gm)].map(([, name = ""]) => name.toLowerCase())
    expect([...linked].sort()).toEqual(described.sort())
    expect(linked.size).toBeGreaterThan(10)
  })

  it("show fields with their types, whether they are required, and their defaults", () => {
    const lines = linesOf("docs/api.md")
    expect(lines).toContain("| `qualifying_event` | body | string, 1 to 255 characters | yes |  |")
    expect(lines).toContain('| `period` | body | `"daily"` or `"weekly"` |  | `"daily"` |')
    expect(lines).toContain("| `limit` | query | integer, 1 to 1000 |  | `50` |")
    expect(lines).toContain("| `streakId` | path | uuid | yes |  |")
  })

  it("have every code that a route can answer, with its status", () => {
    const listed = linesOf("docs/errors.md").map((line) => line.split(" | ").slice(0, 2).join(" "))
    for (const route of routes) {
      for (const [status, codes] of routeFailures(route)) {
        for (const code of codes.keys()) expect(listed).toContain(`| \`${code}\` ${status}`)
      }
    }
  })

  it("list the routes that answer a code, or those that do not where that is shorter", () => {
    const answeredBy = (code: string) =>
      linesOf("docs/errors.md")
        .find((line) => line.startsWith(`| \`${code}\``))
        ?.split(" | ")
        .at(-1)
    expect(answeredBy("WEAK_PASSWORD")).toBe("`POST /auth/developer/signup` |")
    expect(answeredBy("TENANT_UNAVAILABLE")).toBe("every route |")
    expect(answeredBy("SERVICE_UNAVAILABLE")).toBe("every route |")
    expect(answeredBy("METHOD_NOT_ALLOWED")).toBe("every path |")
    expect(answeredBy("UNAUTHORIZED")).toMatch(/^every route but `POST \/auth\/developer\/signup`, /)
  })

  it("name every setting in the example of an environment, all of them commented out", () => {
    const lines = linesOf(".env.example").filter((line) => line !== "")
    for (const name of Object.keys(allSettings)) expect(lines.some((line) => line.startsWith(`# ${name}=`))).toBe(true)
    expect(lines.every((line) => line.startsWith("# "))).toBe(true)
  })
})
