import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15"
const android = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36"
const desktop = "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36"
const print = Array(32).fill("A1").join(":")

/** Links into apps: their settings, what they count, and where they lead to on which host. */
export const tour: Tour = async ({ admin, client, fetch, projectId, userId }) => {
  const code = async (response: Response) => [response.status, JSON.parse(await response.text()).error?.code]
  const visit = async (path: string, agent = desktop, more: Record<string, string> = {}, method = "GET") => {
    const response = await fetch(path, { method, headers: { "user-agent": agent, ...more } })
    return [response.status, response.headers.get("location"), response.headers.get("cache-control")]
  }
  const path = (slug: string) => `/l/${projectId}/${slug}`
  const absent = [404, null, "no-store"]
  const domain = `go-${projectId}.example`
  const onDomain = { host: domain }

  expect(await code(await fetch(path("sale")))).toEqual([404, "NOT_FOUND"])
  const link = { slug: "sale", destination_url: "https://shop.example/sale?a=1#b" }
  const sale = await admin("POST /deep-links/tracked", { body: link })
  expect(sale).toMatchObject({ ...link, metadata: {}, click_count: 0 })
  const linkId = sale["id"]

  const config = { url_scheme: "myapp", universal_link_domain: domain, fallback_url: "https://shop.example/" }
  const nothing = {
    android_package_name: null,
    ios_bundle_id: null,
    ios_team_id: null,
    android_sha256_fingerprints: null,
  }
  expect(await admin("GET /deep-links/settings")).toEqual({ config: null })
  expect(await admin("PUT /deep-links/config", { body: config })).toMatchObject({ id: 1, ...config, ...nothing })
  const inApp = await admin("POST /deep-links/tracked", {
    body: { slug: "in-app", destination_url: "myapp://items/1", metadata: { item: 1 } },
  })

  // What is sent, and what of it counts.
  const there = [302, link.destination_url, "no-store"]
  expect(await visit(path("sale"), iphone)).toEqual(there)
  expect(await visit(path("sale"), android)).toEqual(there)
  expect(await visit(path("sale"))).toEqual(there)
  expect(await visit(path("sale"), "curl/8.0")).toEqual(there)
  expect(await visit("/l/sale", iphone, onDomain)).toEqual(there)
  expect(await visit(path("sale"), iphone, onDomain)).toEqual(there)
  expect(await visit(path("sale"), desktop, {}, "HEAD")).toEqual(there)
  expect(await visit(path("sale"), "facebookexternalhit/1.1")).toEqual(there)
  expect(await visit(path("sale"), desktop, { "sec-purpose": "prefetch;prerender" })).toEqual(there)
  expect(await admin("GET /deep-links/tracked/:linkId/stats", { linkId })).toEqual({
    ...{ tracked_link_id: linkId, slug: "sale", total_clicks: 6, unique_users: 0 },
    clicks_by_platform: { ios: 3, android: 1, web: 1, unknown: 1 },
  })
  expect(await admin("GET /deep-links/tracked/:linkId", { linkId })).toEqual({ ...sale, click_count: 6 })
  const moved = { destination_url: "https://shop.example/summer" }
  expect(await admin("PATCH /deep-links/tracked/:linkId", { linkId, body: moved })).toEqual({
    ...{ ...sale, ...moved, click_count: 6 },
  })
  expect(await visit(path("sale"), desktop, {}, "HEAD")).toEqual([302, moved.destination_url, "no-store"])
  await admin("PATCH /deep-links/tracked/:linkId", { linkId, body: { destination_url: link.destination_url } })
  const lastDays = await admin<ReadonlyArray<Record<string, number>>>("GET /deep-links/tracked/:linkId/days", {
    ...{ linkId, query: "days=2" },
  })
  // The day may have changed since the first click.
  expect(lastDays.map(({ ios = 0, android = 0 }) => ios + android).reduce((a, b) => a + b)).toBe(4)

  // Where a link does not lead to.
  expect(await visit("/l/sale")).toEqual(absent)
  expect(await visit(path("gone"))).toEqual([302, config.fallback_url, "no-store"])
  expect(await visit("/l/%00", desktop, onDomain)).toEqual(absent)
  expect(await visit(`/l/${userId}/sale`)).toEqual(absent)
  expect(await visit(`/l/${userId}/sale`, desktop, onDomain)).toEqual(absent)
  expect(await visit("/l/nobody/sale")).toEqual(absent)
  expect(await visit(path("in-app"))).toEqual([302, "myapp://items/1", "no-store"])
  await admin("PUT /deep-links/config", { body: { url_scheme: "other" } })
  expect(await visit(path("in-app"))).toEqual([302, config.fallback_url, "no-store"])
  await admin("PUT /deep-links/config", { body: { url_scheme: "myapp" } })

  // A user of the app.
  const resolved = await client("GET /client/deep-links/resolve", { query: "slug=in-app&platform=android" })
  expect(resolved).toEqual({ destination_url: "myapp://items/1", metadata: { item: 1 } })
  await client("GET /client/deep-links/resolve", { query: "slug=in-app" })
  expect(await admin("GET /deep-links/tracked/:linkId/stats", { linkId: inApp["id"] })).toMatchObject({
    ...{ total_clicks: 3, unique_users: 1 },
    clicks_by_platform: { ios: 0, android: 1, web: 1, unknown: 1 },
  })
  const opened = await admin<ReadonlyArray<object>>("GET /users/:userId/events", { userId })
  expect(opened).toMatchObject(Array(2).fill({ event_name: "deep_link_opened", properties: { slug: "in-app" } }))

  // What the platforms ask the domain for.
  const wellKnown = async (file: string, host = domain) => {
    const response = await fetch(`/.well-known/${file}`, { headers: { host } })
    return [response.status, response.headers.get("content-type"), await response.text()]
  }
  expect((await wellKnown("assetlinks.json"))[0]).toBe(404)
  const app = { ios_team_id: "A1B2C3D4E5", ios_bundle_id: "com.example.app", android_package_name: "com.example.app" }
  await admin("PUT /deep-links/config", { body: { ...app, android_sha256_fingerprints: [print] } })
  const apple = await wellKnown("apple-app-site-association")
  expect(apple).toEqual([200, "application/json", expect.stringContaining('"A1B2C3D4E5.com.example.app"')])
  const [statement] = JSON.parse(String((await wellKnown("assetlinks.json"))[2]))
  expect(statement.target).toEqual({
    ...{ namespace: "android_app", package_name: "com.example.app" },
    sha256_cert_fingerprints: [print],
  })
  expect((await wellKnown("assetlinks.json", "other.example"))[0]).toBe(404)

  // What is kept, cleared and removed.
  const kept = await admin("PUT /deep-links/config", { body: { universal_link_domain: null } })
  expect(kept).toMatchObject({ ...app, universal_link_domain: null, url_scheme: "myapp" })
  expect(await admin("GET /deep-links/config")).toEqual(kept)
  expect(await admin("GET /deep-links/settings")).toEqual({ config: kept })
  expect(await visit("/l/sale", desktop, onDomain)).toEqual(absent)
  expect(await admin("GET /deep-links/tracked")).toMatchObject([
    { slug: "in-app", click_count: 3 },
    { slug: "sale", click_count: 6 },
  ])
  await admin("DELETE /deep-links/tracked/:linkId", { linkId })
  expect(await admin("GET /deep-links/tracked")).toHaveLength(1)
}
