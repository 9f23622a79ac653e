import { createHmac, randomBytes } from "node:crypto"
import type { TestProject } from "../harness/fixtures.ts"
import type { TestServer } from "../harness/harness.ts"

/** The secret of the paywall in these tests. */
export const paywallSecret = "canary of a paywall's secret"

/** Has a project take webhooks of a paywall. */
export const configurePaywall = ({ api }: TestServer, { admin, owner }: TestProject, config: object = {}) =>
  api.ok("PUT", `${admin}/integrations/paywall`, owner.as, { config: { webhook_secret: paywallSecret, ...config } })

/** A secret of Standard Webhooks. */
export const someStandardSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`

/** The header of the scheme `hex`. */
export const signHex = (body: string | Uint8Array, secret = paywallSecret): Record<string, string> => ({
  "x-paywall-signature": createHmac("sha256", secret).update(body).digest("hex"),
})

/** The headers of the scheme `standard`. */
export const signStandard = (body: string, secret: string, id: string, at = Date.now(), family = "webhook") => {
  const timestamp = `${Math.floor(at / 1_000)}`
  const key = Buffer.from(secret.replace("whsec_", ""), "base64")
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")
  return { [`${family}-id`]: id, [`${family}-timestamp`]: timestamp, [`${family}-signature`]: `v1,${signature}` }
}

/** Sends a webhook of the paywall. Answers the status with the code and the data. */
export const sendPaywall = async (
  { url }: { readonly url: string },
  project: { readonly id: string },
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = signHex(body),
  query = `project_id=${project.id}`,
) => {
  const sent = { method: "POST", headers, body: body as string }
  const response = await fetch(`${url}/v1/webhooks/paywall${query === "" ? "" : `?${query}`}`, sent)
  const text = await response.text()
  const answer = JSON.parse(text) as { readonly data?: object; readonly error?: { readonly code: string } }
  return { status: response.status, code: answer.error?.code ?? null, data: answer.data, text }
}
