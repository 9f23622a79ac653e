/** Headers of a call: who calls. */
export type Credentials = Readonly<Record<string, string>>

/** An answer of the service. */
export interface Answer<Data> {
  readonly status: number
  readonly headers: Headers
  /** What is under `data`. */
  readonly data: Data
  /** The code of an error. */
  readonly code: string | null
  readonly text: string
}

/** Calls the routes of a service. */
export interface Api {
  /** Any answer; rejects only when there is none. Paths are relative to `/v1`. */
  call<Data>(method: string, path: string, credentials?: Credentials, body?: unknown): Promise<Answer<Data>>
  /** The data of a success; rejects on anything else. Calls again where a stalled machine took what a call may wait. */
  ok<Data>(method: string, path: string, credentials?: Credentials, body?: unknown): Promise<Data>
  /** Calls what is not below `/v1`. */
  root(path: string): Promise<Response>
}

const dataOf = (text: string): { data?: unknown; error?: { code: string } } => (text === "" ? {} : JSON.parse(text))

/** A client of the service at `origin()`, which may move. */
export const apiAt = (origin: () => string): Api => {
  const call = async <Data>(method: string, path: string, credentials: Credentials = {}, body?: unknown) => {
    const json = { "content-type": "application/json" }
    const sent = body === undefined ? { headers: credentials } : { headers: { ...credentials, ...json } }
    const response = await fetch(`${origin()}/v1${path}`, {
      ...sent,
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const { data, error } = dataOf(text)
    const { status, headers } = response
    return { status, headers, data: data as Data, code: error?.code ?? null, text }
  }
  return {
    call,
    ok: async <Data>(method: string, path: string, credentials?: Credentials, body?: unknown) => {
      for (let tries = 1; ; tries += 1) {
        const began = performance.now()
        const { status, code, data, text } = await call<Data>(method, path, credentials, body)
        if (status >= 200 && status < 300) return data
        const isLate = code === "TENANT_BUSY" && performance.now() - began > 4_500
        if (!isLate || tries === 3) throw new Error(`${method} ${path} answered ${status}: ${text}`)
      }
    },
    root: (path) => fetch(`${origin()}${path}`),
  }
}
