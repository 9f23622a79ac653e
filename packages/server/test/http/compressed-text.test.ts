import type { H3Event } from "h3"
import { expect, it } from "vitest"
import { makeCompressedText } from "../../src/http/pages/compressed-text.ts"
import type { RequestContext } from "../../src/http/routing/request-context.ts"

const text = "0123456789".repeat(100_000)

const context: RequestContext = {
  ...{ method: "GET", path: "/text", requestId: "one", headers: {}, facts: {}, caller: null, refusal: null },
  onDownloadFailed: () => {},
}

it("a text that many ask for and nobody reads is in memory once, however they take it", async () => {
  const answer = makeCompressedText("text/plain", () => text)
  const ask = (headers: Record<string, string>) =>
    answer({ req: new Request("http://hearth.test/text", { headers }) } as unknown as H3Event, context)
  expect(await (await ask({})).text()).toBe(text)
  const before = process.memoryUsage().arrayBuffers
  const unread: Array<Response> = []
  for (let at = 0; at < 100; at += 1) unread.push(await ask(at % 2 === 0 ? {} : { "accept-encoding": "br" }))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * text.length)
  expect(await unread[0]?.text()).toBe(text)
})
