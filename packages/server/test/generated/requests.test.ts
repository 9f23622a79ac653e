import { afterAll, beforeAll, expect, it } from "vitest"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { runGeneratedRequests } from "./run-requests.ts"

const harness = makeHarness()
let server: TestServer
beforeAll(async () => {
  server = await harness.server({ DATA_DIR: harness.folder() })
})
afterAll(harness.clear, 30_000)

// The same with more requests: `pnpm test:faults requests 10000`.
it("answers generated requests over every route as its document says, and none with 5xx", {
  timeout: 120_000,
}, async () => {
  const { faults, undocumented, misshapen, sent } = await runGeneratedRequests(server.api, server.url, 300, 9)
  expect({ faults, undocumented, misshapen }).toEqual({ faults: [], undocumented: [], misshapen: [] })
  expect(sent).toBeGreaterThanOrEqual(300)
})
