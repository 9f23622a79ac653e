import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { FailureClass } from "@hearth/core"
import { describe, expect, it } from "vitest"
import { renderErrorsPage } from "../../src/generate/errors-page.ts"
import { statusOf } from "../../src/http/response/errors.ts"
import { remedies } from "../../src/http/response/remedies.ts"
import { routes } from "../../src/routes/index.ts"

const sources = ["core/src", "server/src", "adapters/src", "worker/src"].flatMap((folder) => {
  const home = join(import.meta.dirname, "../../..", folder)
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(home, name))
})
const declares = /^(?:export )?class \w+ extends (?:failure|fieldFailure)\(/gm
const declaring = sources.flatMap((path) => {
  const count = readFileSync(path, "utf8").match(declares)?.length ?? 0
  return count === 0 ? [] : [{ path, count }]
})

const isFailureClass = (value: unknown): value is FailureClass =>
  typeof value === "function" && "code" in value && "kind" in value && "sentence" in value

// What fails with it makes a failure of its own of it, with the code of the spec.
const neverAnswered = new Set(["QUEUE_UNAVAILABLE"])

const cells = renderErrorsPage(routes)
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split(" | "))
const onPage = cells.map(([code, status]) => `${code?.replaceAll(/[|` ]/g, "")} ${status}`)

describe("docs/errors.md", () => {
  it("has every failure that core and server declare", async () => {
    expect(declaring.length).toBeGreaterThan(20)
    for (const { path, count } of declaring) {
      const declared = Object.values<unknown>(await import(pathToFileURL(path).href)).filter(isFailureClass)
      // One that is not exported could not be looked at here.
      expect([path, declared.length]).toEqual([path, count])
      const codes = declared.filter(({ code }) => !neverAnswered.has(code))
      for (const each of codes) expect(onPage).toContain(`${each.code} ${statusOf(each)}`)
    }
  })

  it("says what to do about every code, and about none that there is not", () => {
    const used = onPage.map((name) => (name in remedies ? name : (name.split(" ")[0] ?? "")))
    expect(Object.keys(remedies).sort()).toEqual([...new Set(used)].sort())
  })

  it("says it by the code, where two codes of a status need different things done", () => {
    const textOf = (code: string, status: string) =>
      cells.find(([name, number]) => name === `| \`${code}\`` && number === status)?.[4]
    expect(textOf("BATCH_TOO_LARGE", "400")).toContain("users")
    expect(textOf("BATCH_TOO_LARGE", "413")).toContain("events")
    expect(textOf("SEND_FAILED", "500")).not.toBe(textOf("SEND_FAILED", "502"))
    expect(textOf("NOT_FOUND", "404")).not.toBe(textOf("USER_NOT_FOUND", "404"))
  })

  it.each(Object.entries(remedies))("says what to do about %s in a sentence that fits a table", (_, text) => {
    expect(text).toMatch(/^[A-Z][^|\n]{15,250}[^.\s]$/)
  })

  it.each(Object.entries(remedies))("names no route for %s that there is not", (_, text) => {
    const names = routes.map(({ method, path }) => `${method} ${path}`)
    const paths = [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [/…][^`?]*)/g)].map(([, name = ""]) => name)
    for (const name of paths) {
      const [method = "", path = ""] = name.split(" ")
      const found = names.some((each) => each.startsWith(`${method} `) && each.endsWith(path.replace(/^…/, "")))
      expect([name, found]).toEqual([name, true])
    }
  })
})
