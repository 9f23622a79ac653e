import { join } from "node:path"
import { type Config, lintFromString, loadConfig } from "@redocly/openapi-core"
import { beforeAll, describe, expect, it } from "vitest"
import { openApi } from "../../src/http/openapi/openapi.ts"
import { routeGroups } from "../../src/routes/index.ts"

const root = join(import.meta.dirname, "../../../..")

describe("the OpenAPI document", () => {
  let config: Config
  beforeAll(async () => {
    config = await loadConfig({ configPath: join(root, "redocly.yaml") })
  })

  const lint = async (document: unknown) => {
    const source = JSON.stringify(document)
    const problems = await lintFromString({ source, absoluteRef: join(root, "docs/openapi.json"), config })
    return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`)
  }

  it("has no warning of the linter", async () => {
    expect(await lint(openApi(routeGroups, "1.2.3"))).toEqual([])
  })

  it("would have some", async () => {
    const { info, ...rest } = openApi(routeGroups.slice(0, 1), "1.2.3")
    expect(await lint({ ...rest, info: { title: "Hearth" } })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^struct: The field `version` must be present/)]),
    )
    expect(info).toBeDefined()
  })
})
