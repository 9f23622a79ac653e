import { randomUUID } from "node:crypto"
import type { TestProject } from "../harness/fixtures.ts"
import type { TestServer } from "../harness/harness.ts"

/** The secret of the subscription provider in these tests. */
const secret = "a secret of a webhook"

/** Has a project take webhooks of subscriptions. */
export const configure = ({ api }: TestServer, { admin, owner }: TestProject, config: object = {}) =>
  api.ok("PUT", `${admin}/integrations/subscription`, owner.as, {
    ...{ is_active: true, config: { webhook_secret: secret, ...config } },
  })

/** What the inbox shows of a webhook. */
export interface InboxAnswer {
  readonly id: string
  readonly provider_event_id: string | null
  readonly app_user_id: string | null
  readonly status: string
  readonly error: string | null
  readonly payload?: unknown
}

/** An event that gives a user `pro` for a year. */
export const anEvent = (given: object = {}) => {
  const id = randomUUID()
  const now = Date.now()
  return {
    api_version: "1.0",
    event: {
      ...{ id, type: "INITIAL_PURCHASE", environment: "PRODUCTION", event_timestamp_ms: now, app_user_id: "nobody" },
      ...{ product_id: "yearly", entitlement_ids: ["pro"], store: "APP_STORE", period_type: "NORMAL", price: 9.99 },
      ...{ transaction_id: id, original_transaction_id: id, currency: "USD", aliases: [], ...given },
      ...{ purchased_at_ms: now, expiration_at_ms: now + 365 * 86_400_000 },
    },
  }
}

/** How a webhook is sent, where not as the provider does. */
export interface SendOptions {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a webhook. Answers the status with the code, the data and the headers. */
export const send = async (
  { url }: { readonly url: string },
  project: { readonly id: string },
  body: object | string | Uint8Array,
  { query = `project_id=${project.id}`, headers = { authorization: `Bearer ${secret}` } }: SendOptions = {},
) => {
  const response = await fetch(`${url}/v1/webhooks/subscription?${query}`, {
    ...{ method: "POST", headers },
    body: typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })
  const answer = (await response.json()) as { readonly data?: object; readonly error?: { readonly code: string } }
  const { status } = response
  return { status, code: answer.error?.code ?? null, data: answer.data, headers: response.headers }
}

/** The inbox of a project. */
export const readInbox = ({ api }: TestServer, { admin, owner }: TestProject, query = "limit=1000") =>
  api.ok<ReadonlyArray<InboxAnswer>>("GET", `${admin}/webhooks/inbox?${query}`, owner.as)
