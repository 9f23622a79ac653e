import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

const secret = "canary of a webhook secret"

/** Webhooks of the subscription provider: taken in, listed, shown, replayed. */
export const tour: Tour = async ({ admin, fetch, projectId }) => {
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
}
