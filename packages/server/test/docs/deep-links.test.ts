import { readFileSync } from "node:fs"
import { expect } from "vitest"
import { describePage } from "../harness/describe-page.ts"

describePage("deep-links.md", "[I8.1, I8.2, I8.3, I8.4]", ({ answer, folder }) => {
  expect(answer("link")).toMatchObject({ slug: "sale", click_count: 0, metadata: { campaign: "spring" } })
  expect(answer("apple")).toMatchObject({
    ...answer("config"),
    ...{ ios_team_id: "A1B2C3D4E5" },
    ios_bundle_id: "com.example.app",
    updated_at: expect.any(String),
  })
  expect(answer("resolved")).toEqual({
    destination_url: "https://shop.example/sale",
    metadata: { campaign: "spring" },
  })
  expect(answer("stats")).toMatchObject({ clicks_by_platform: { ios: 2, android: 0, web: 0, unknown: 0 } })
  const association = JSON.parse(readFileSync(`${folder}/association.json`, "utf8"))
  expect(association.applinks.details[0].appIDs).toEqual(["A1B2C3D4E5.com.example.app"])
})
