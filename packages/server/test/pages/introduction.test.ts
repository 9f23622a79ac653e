import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("the introduction of the reference", () => {
  const harness = makeHarness()
  let server: TestServer

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
  })
  afterAll(harness.clear)

  it("runs as it is written, from the sign-up to a streak of one", async () => {
    const document = (await (await server.api.root("/openapi.json")).json()) as { info: { description: string } }
    const blocks = [...document.info.description.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block)
    const script = blocks.join("\n").replaceAll("http://127.0.0.1:8080", server.url)
    expect(script).toContain(`api=${server.url}/v1\n`)
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: harness.folder() })
    expect(stdout).toContain('{"data":{"inserted":1,"skipped":0,"tracked":1}}')
    expect(stdout).toMatch(/"current_count":1,.*"status":"active"/)
    expect(stdout).not.toContain('"error"')
  })
})
