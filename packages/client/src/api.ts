import createOpenApiClient from "openapi-fetch"
import { HearthError, readError } from "./error.ts"
import type { paths } from "./generated/paths.ts"
import type { SendOptions } from "./transport.ts"

type Method = "get" | "post" | "put" | "patch" | "delete"

/** The paths of the API that begin like this. */
export type PathsBelow<Prefix extends string> = {
  [Path in keyof paths as Path extends `${Prefix}${string}` ? Path : never]: paths[Path]
}

/** The paths of an app. */
export type ClientPaths = PathsBelow<"/client/">

/** The paths of a developer. */
export type AdminPaths = PathsBelow<"/admin/"> & PathsBelow<"/auth/developer/">

type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends { readonly [K in M]: unknown } ? Path : never
}[keyof Paths]

type JsonOf<Message> = Message extends { content: { "application/json": infer Body } } ? Body : unknown

type BodyOf<Operation> = Operation extends { requestBody: infer Body }
  ? { readonly body: JsonOf<Body> }
  : Operation extends { requestBody?: infer Body }
    ? { readonly body?: JsonOf<NonNullable<Body>> }
    : { readonly body?: never }

type Groups<Parameters> = {
  [Group in keyof Parameters as Parameters[Group] extends undefined ? never : Group]: Parameters[Group]
}

type ParamsOf<Operation> = Operation extends { parameters: infer Parameters }
  ? Record<never, never> extends Groups<Parameters>
    ? { readonly params?: Parameters }
    : { readonly params: Parameters }
  : { readonly params?: never }

/** What any call can be given beside its parameters and its body. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the call, and the body of a download; both reject with the signal's reason. */
  readonly signal?: AbortSignal
}

/** How the body of a success is read where it is not JSON: of exports, say. */
export interface BodyTypes {
  readonly text: string
  readonly blob: Blob
  readonly arrayBuffer: ArrayBuffer
  readonly stream: ReadableStream<Uint8Array> | null
}

type InitOf<Operation> = ParamsOf<Operation> & BodyOf<Operation> & CallOptions

type SuccessOf<Operation> = Operation extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>
  : never

type OperationOf<Paths, Path extends keyof Paths, M extends Method> = Paths[Path][M & keyof Paths[Path]]

interface Call<Paths, M extends Method> {
  <Path extends PathsWith<Paths, M>>(
    path: Path,
    ...init: Record<never, never> extends InitOf<OperationOf<Paths, Path, M>>
      ? [init?: InitOf<OperationOf<Paths, Path, M>>]
      : [init: InitOf<OperationOf<Paths, Path, M>>]
  ): Promise<SuccessOf<OperationOf<Paths, Path, M>>>
  <Path extends PathsWith<Paths, M>, As extends keyof BodyTypes>(
    path: Path,
    init: InitOf<OperationOf<Paths, Path, M>> & { readonly parseAs: As },
  ): Promise<BodyTypes[As]>
}

/**
 * Calls of the API by method and path, typed by it. Each answers the body of a success: `{ data }`, or a page with `total`,
 * `offset` and `limit` beside it. Everything else rejects with a `HearthError`.
 */
export interface Api<Paths> {
  readonly GET: Call<Paths, "get">
  readonly POST: Call<Paths, "post">
  readonly PUT: Call<Paths, "put">
  readonly PATCH: Call<Paths, "patch">
  readonly DELETE: Call<Paths, "delete">
}

/** Sends a request of the API. */
export type SendCall = (request: Request, options: SendOptions) => Promise<Response>

interface AnyInit extends CallOptions {
  readonly parseAs?: keyof BodyTypes
  readonly body?: unknown
  readonly params?: { readonly header?: Readonly<Record<string, unknown>> }
}

/** Whether it is a key as the service takes it. What is undefined is not sent at all. */
const isKey = (value: unknown): boolean => typeof value === "string" && value !== ""

// The types know which routes read the header, and offer it in `params` there. What stands in `headers` may be read by nobody.
const hasIdempotencyKey = ({ body, params }: AnyInit): boolean => {
  const { idempotency_key, event_id } = (body ?? {}) as {
    readonly idempotency_key?: unknown
    readonly event_id?: unknown
  }
  const headers = Object.entries(params?.header ?? {})
  return (
    isKey(idempotency_key) ||
    isKey(event_id) ||
    headers.some(([name, value]) => name.toLowerCase() === "idempotency-key" && isKey(value))
  )
}

/** Whether the service does it once, however often it is asked. */
const isRepeatable = (method: string, init: AnyInit): boolean =>
  method === "GET" || method === "PUT" || method === "DELETE" || hasIdempotencyKey(init)

/** An answer whose body comes later: the caller's signal ends that too, and where it is cut it rejects with a `HearthError`. */
const watchBody = (response: Response, signal: AbortSignal | undefined): Response => {
  // React Native has no streams, but answers with the whole body.
  if (!response.body) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    start: (to) => {
      const abort = () => {
        to.error(signal?.reason)
        void reader.cancel().catch(() => {})
      }
      if (signal?.aborted) abort()
      signal?.addEventListener("abort", abort)
      void reader.closed
        .catch((cause) => to.error(new HearthError("NETWORK_ERROR", "The answer broke off.", { cause })))
        .then(() => signal?.removeEventListener("abort", abort))
    },
    // What goes wrong here is told by `closed`.
    pull: (to) =>
      reader
        .read()
        .then(({ done, value }) => (done ? to.close() : to.enqueue(value)))
        .catch(() => {}),
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, response)
}

/** The address below which all paths are: the service's, with the version. */
export const toBaseUrl = (url: string): string => `${url.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`

// In a page an address may be relative to it; where pages are made, the client may be too, though nothing can be sent there.
// A space or a query in it would be one in every path.
const isAddress = (url: unknown): boolean =>
  typeof url === "string" && /^(https?:\/\/[^/?# ]+)?(\/[^?# ]*)?$/i.test(url)

/** Makes the calls of an API. Throws a `TypeError` where there is no service to call: a variable that is not set, an address without `https://`. */
export const makeApi = <Paths>(url: string, send: SendCall): Api<Paths> => {
  if (!isAddress(url))
    throw new TypeError(`url must be where the service is, like https://hearth.example: it is ${url}.`)
  const client = createOpenApiClient<Record<string, never>>({ baseUrl: toBaseUrl(url) })
  const request = client.request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ data: unknown }>
  const call =
    (method: string) =>
    async (path: string, init: AnyInit = {}): Promise<unknown> => {
      const wantsJson = init.parseAs === undefined
      let answer: Response | undefined
      const fetch = async (sent: Request): Promise<Response> => {
        const signal = init.signal === undefined ? {} : { signal: init.signal }
        const response = await send(sent, { repeatable: isRepeatable(method, init), wantsJson, ...signal })
        answer = wantsJson ? response : watchBody(response, init.signal)
        return answer
      }
      try {
        return (await request(method, path, { ...init, fetch })).data
      } catch (cause) {
        // What calls itself JSON and is none.
        throw answer && cause instanceof SyntaxError ? await readError(answer) : cause
      }
    }
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => [method, call(method)])
  return Object.fromEntries(methods) as Api<Paths>
}
