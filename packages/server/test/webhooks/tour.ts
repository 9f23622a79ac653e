import { expect } from "vitest"
import type { Tour, TourTools } from "../harness/tour.ts"
import { signHex } from "./paywall-client.ts"

const secret = "canary of a webhook secret"

/** Webhooks of the paywall: one becomes an event. */
const tourPaywall = async ({ admin, fetch, projectId, userId }: TourTools) => {
  await admin("PUT /integrations/:provider", { provider: "paywall", body: { config: { webhook_secret: secret } } })
  const send = async (body: string, headers: Record<string, string>) => {
    const response = await fetch(`/v1/webhooks/paywall?project_id=${projectId}`, { method: "POST", headers, body })
    return [response.status, JSON.parse(await response.text())]
  }
  const body = JSON.stringify({ event: "opened", user_id: userId })
  expect(await send(body, signHex(body, secret))).toEqual([200, { data: { received: true } }])
  expect(await send(body, signHex("{}", secret))).toMatchObject([401, { error: { code: "INVALID_SIGNATURE" } }])
  const events = await admin("GET /users/:userId/events", { userId })
  expect(events).toMatchObject([{ event_name: "paywall_opened", properties: { event: "opened" } }])
}

/** Webhooks of both providers: taken in, listed, shown, replayed. */
export const tour: Tour = async (tools) => {
  const { admin, fetch, projectId, userId } = tools
  await tourPaywall(tools)
  await admin("PUT /integrations/:provider", { provider: "subscription", body: { config: { webhook_secret: secret } } })
  const send = async (body: string, more: Record<string, string> = { authorization: `Bearer ${secret}` }) => {
    const init = { method: "POST", headers: more, body }
    const response = await fetch(`/v1/webhooks/subscription?project_id=${projectId}`, init)
    return [response.status, JSON.parse(await response.text())]
  }
  const event = { id: "tour 1", type: "SOMETHING_NEW", app_user_id: "nobody" }
  expect(await send(JSON.stringify({ api_version: "1.0", event }))).toEqual([200, { data: { received: true } }])
  expect(await send(JSON.stringify({ api_version: "1.0", event }))).toEqual([200, { data: { received: true } }])
  expect(await send("no JSON")).toEqual([200, { data: { received: true } }])
  const refused = await send("no JSON", { authorization: "Bearer another secret" })
  expect(refused).toMatchObject([401, { error: { code: "INVALID_SIGNATURE" } }])

  const listed = await admin<ReadonlyArray<{ id: string }>>("GET /webhooks/inbox", { query: "provider=subscription" })
  expect(listed).toMatchObject([
    { provider_event_id: null, event_type: null, status: "ignored" },
    { provider_event_id: "tour 1", event_type: "SOMETHING_NEW", provider_user_id: "nobody", app_user_id: null },
  ])
  const [, { id: inboxId = "" } = {}] = listed
  expect(await admin("GET /webhooks/inbox/:inboxId", { inboxId })).toMatchObject({ payload: { event } })
  expect(await admin("POST /webhooks/inbox/:inboxId/replay", { inboxId })).toMatchObject({ status: "ignored" })
  for (const provider of ["subscription", "paywall"]) {
    const tested = await admin<{ provider_event_id: string }>("POST /integrations/:provider/test", { provider })
    expect(await admin("GET /webhooks/inbox", { query: `provider=${provider}&limit=1` })).toMatchObject(
      [tested].map(({ provider_event_id }) => ({ provider_event_id })),
    )
  }
  const ofUser = await admin("GET /webhooks/inbox", { query: `user_id=${userId}` })
  expect(ofUser).toMatchObject([{ provider: "paywall", app_user_id: userId }])
}
