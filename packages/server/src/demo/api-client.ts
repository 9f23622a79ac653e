/** The service refused a call, or could not answer it. */
class CallRefused extends Error {}

/** Calls a Hearth service: `call("POST", "/admin/projects", { name })`. Answers what is under `data`, untyped. */
export type ApiClient = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
  // biome-ignore lint/suspicious/noExplicitAny: answers come from the wire; the demo reads a few fields of them
) => Promise<any>

/** A client for the service at `origin`. */
export const makeApiClient =
  (origin: string): ApiClient =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = JSON.parse(await response.text())
    if (response.ok) return answer.data
    throw new CallRefused(
      `${method} ${path} answered ${response.status} ${answer.error?.code}: ${answer.error?.message}`,
    )
  }
