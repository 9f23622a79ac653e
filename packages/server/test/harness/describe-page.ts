import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "./fixtures.ts"
import { makeHarness, type TestServer } from "./harness.ts"
import { runPage } from "./page.ts"

/** What is left of a page that was run: its folder with its files, and the JSON of one of these. */
export interface PageResult {
  readonly folder: string
  readonly answer: Awaited<ReturnType<typeof runPage>>["answer"]
}

/**
 * Runs a page of `docs/` as it is written, from the first request to the last, against a server of its own with a project.
 * No answer may be an error; `check` looks at them. `points` are those of the specification that the page shows.
 */
export const describePage = (name: string, points: string, check: (result: PageResult) => void): void => {
  describe(`docs/${name}`, () => {
    const harness = makeHarness()
    const folder = harness.folder()
    let server: TestServer
    let project: TestProject

    beforeAll(async () => {
      server = await harness.server({ DATA_DIR: harness.folder() })
      project = await aProject(server.api)
    })
    afterAll(harness.clear)

    it(`runs as it is written ${points}`.trim(), async () => {
      const variables = {
        ...{ api: `${server.url}/v1`, project: project.id, key: project.clientKey },
        token: project.owner.as["authorization"]?.replace("Bearer ", "") ?? "",
      }
      const { stdout, answer } = await runPage(name, { folder, variables })
      expect(stdout).not.toContain('"error"')
      check({ folder, answer })
    })
  })
}
