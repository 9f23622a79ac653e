import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness } from "../harness/harness.ts"

const dayMillis = 86_400_000

/** Options of Node for a process whose clock is ahead by so much. */
const ahead = (millis: number) => {
  const program = `
    const Right = Date
    globalThis.Date = class extends Right {
      static now() { return Right.now() + ${millis} }
      constructor(...given) { super(...(given.length === 0 ? [Right.now() + ${millis}] : given)) }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` }
}

describe("a process whose clock is not PostgreSQL's", () => {
  const harness = makeHarness()
  let environment: Readonly<Record<string, string>>
  beforeAll(async () => {
    environment = (await harness.database()).environment
  })
  afterAll(harness.clear)

  it.each(["server", "worker"] as const)("says by how much, and starts all the same: %s", async (script) => {
    for (const [millis, said] of [
      [3 * dayMillis, "259200 s ahead of"],
      [-dayMillis, "86400 s behind"],
    ] as const) {
      const process = harness.launch(script, { environment: { PORT: "0", ...environment, ...ahead(millis) } })
      await process.says(new RegExp(`The clock of this machine is ${said} PostgreSQL's`))
      await process.says(script === "server" ? /API +(\S+)\/v1/ : /worker started/)
      expect(await process.end("SIGTERM")).toEqual({ code: 0, signal: null })
    }
  })
})
