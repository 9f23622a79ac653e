import { expect, it } from "vitest"
import { ask, sampleApp } from "../http/sample-app.ts"

it("the page of the console may send and show files where the storage has them, and asks nobody else", async () => {
  const { app } = sampleApp({ fileOrigins: ["https://bucket.example", "https://cdn.example"] })
  const policy = (await ask(app, "GET", "/console")).headers.get("content-security-policy") ?? ""
  const also = "https://bucket.example https://cdn.example"
  expect(policy.split("; ")).toEqual([
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'"],
    ...[`connect-src 'self' ${also}`, `img-src 'self' data: blob: ${also}`],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ])
})
