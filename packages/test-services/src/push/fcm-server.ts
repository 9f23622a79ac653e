import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { jwtVerify } from "jose"
import { serviceAccountKey } from "./keys.ts"

/** Whom a server of FCM knows. */
export const fcmProject = {
  project_id: "example-app",
  client_email: "push@example-app.iam.gserviceaccount.com",
} as const

/** A message as the server got it. */
export interface FcmCall {
  readonly token: string
  readonly message: Readonly<Record<string, unknown>> & { readonly data: Readonly<Record<string, string>> }
  readonly delivery_id: string
  readonly authorization: string
}

/** What the server does with a request that has passed its checks. */
export type FcmReaction = (response: ServerResponse) => void

const write = (response: ServerResponse, status: number, body: string, headers: object = {}) =>
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8", ...headers }).end(body)

/** An error as FCM writes it: the status of the API, FCM's own code, fields that are wrong. */
export const fcmError =
  (
    code: number,
    status: string,
    {
      errorCode,
      fields,
      headers,
    }: { readonly errorCode?: string; readonly fields?: ReadonlyArray<string>; readonly headers?: object } = {},
  ): FcmReaction =>
  (response) => {
    const own = { "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode }
    const request = {
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: fields?.map((field) => ({ field, description: "Invalid value" })),
    }
    const details = [...(errorCode === undefined ? [] : [own]), ...(fields === undefined ? [] : [request])]
    write(response, code, JSON.stringify({ error: { code, message: "secret details", status, details } }), headers)
  }

/** Answers with this body, whatever it is. */
export const fcmBody =
  (status: number, body: string, headers: object = {}): FcmReaction =>
  (response) =>
    write(response, status, body, headers)

/** Cuts the connection instead of an answer. */
export const fcmHangUp: FcmReaction = (response) => response.destroy()

/** Begins an answer, and cuts the connection in the middle of it. */
export const fcmCut =
  (status: number): FcmReaction =>
  (response) => {
    response.writeHead(status, { "content-length": 1_000 })
    response.write('{"error":{"sta')
    setTimeout(() => response.destroy(), 20)
  }

/** Never answers. */
export const fcmSilence: FcmReaction = () => {}

/** A server of FCM on loopback, with the one that exchanges tokens. */
export interface FcmServer {
  readonly url: string
  readonly tokenUri: string
  /** What came through the checks, the oldest first. */
  readonly calls: ReadonlyArray<FcmCall>
  countCalls(deliveryId: string): number
  /** How many assertions were exchanged, and how many connections were made. */
  exchanges(): number
  connections(): number
  /** Reacts so to messages to that token, one after the other, and like the last one from then on. */
  react(token: string, ...reactions: ReadonlyArray<FcmReaction>): void
  /** Reacts so to exchanges instead of checking them; null checks them. */
  reactToExchange(reaction: FcmReaction | null): void
  /** Takes no access token any more that was given out so far. */
  revokeTokens(): void
  stop(): Promise<void>
}

/** How a server is started. */
export interface FcmServerOptions {
  readonly now?: () => Date
  readonly port?: number
  /** How long access tokens are good for. */
  readonly expiresIn?: number
}

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const scope = "https://www.googleapis.com/auth/firebase.messaging"

const isAssertion = async (form: URLSearchParams, tokenUri: string, now: Date): Promise<boolean> => {
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return false
  try {
    const { payload } = await jwtVerify(
      form.get("assertion") ?? "",
      serviceAccountKey(fcmProject.client_email).publicKey,
      {
        algorithms: ["RS256"],
        issuer: fcmProject.client_email,
        audience: tokenUri,
        currentDate: now,
        maxTokenAge: 3600,
      },
    )
    return payload["scope"] === scope && Number(payload.exp) - Number(payload.iat) <= 3600
  } catch {
    return false
  }
}

const checkMessage = (message: FcmCall["message"]): FcmReaction | null => {
  const { data = {}, android } = message
  const wrong = Object.entries(data).flatMap(([key, value]) =>
    typeof value === "string" ? [] : [`message.data.${key}`],
  )
  const ttl = String((android as { readonly ttl?: unknown } | undefined)?.ttl ?? "0s")
  if (!/^\d{1,7}s$/.test(ttl) || Number(ttl.slice(0, -1)) > 2_419_200) wrong.push("message.android.ttl")
  return wrong.length === 0 ? null : fcmError(400, "INVALID_ARGUMENT", { fields: wrong })
}

/** Starts a server that checks what FCM checks, and then does what it was told for the token. */
export const startFcmServer = async ({
  now = () => new Date(),
  port = 0,
  expiresIn = 3600,
}: FcmServerOptions = {}): Promise<FcmServer> => {
  const calls: Array<FcmCall> = []
  const counts = new Map<string, number>()
  const reactions = new Map<string, ReadonlyArray<FcmReaction>>()
  const live = new Set<string>()
  let exchanges = 0
  let connections = 0
  let exchangeReaction: FcmReaction | null = null

  const exchange = async (request: IncomingMessage, response: ServerResponse, tokenUri: string) => {
    const form = new URLSearchParams(await readText(request))
    exchanges += 1
    if (exchangeReaction !== null) return exchangeReaction(response)
    if (!(await isAssertion(form, tokenUri, now()))) return write(response, 400, '{"error":"invalid_grant"}')
    const access_token = `ya29.access-${exchanges}`
    live.add(access_token)
    return write(response, 200, JSON.stringify({ access_token, expires_in: expiresIn, token_type: "Bearer" }))
  }
  const send = async (request: IncomingMessage, response: ServerResponse) => {
    const { message } = JSON.parse(await readText(request)) as { readonly message: FcmCall["message"] }
    const delivery_id = String(
      (message as { android?: { data?: { delivery_id?: string } } }).android?.data?.delivery_id,
    )
    counts.set(delivery_id, (counts.get(delivery_id) ?? 0) + 1)
    const authorization = request.headers.authorization ?? ""
    if (!live.has(authorization.replace(/^Bearer /, ""))) return fcmError(401, "UNAUTHENTICATED")(response)
    const token = String(message["token"])
    const wrong = checkMessage(message)
    if (wrong !== null) return wrong(response)
    calls.push({ token, message, delivery_id, authorization })
    const [first, ...others] = reactions.get(token) ?? []
    if (others.length > 0) reactions.set(token, others)
    const name = `projects/${fcmProject.project_id}/messages/${calls.length}`
    return first === undefined ? write(response, 200, JSON.stringify({ name })) : first(response)
  }
  const server = createServer((request, response) => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const path = `${request.method} ${request.url}`
    response.on("error", () => {})
    if (path === "POST /token") void exchange(request, response, `${address}/token`)
    else if (path === `POST /v1/projects/${fcmProject.project_id}/messages:send`) void send(request, response)
    else write(response, 404, "<html>Not here</html>")
  })
  server.on("connection", () => {
    connections += 1
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    tokenUri: `${url}/token`,
    calls,
    countCalls: (id) => counts.get(id) ?? 0,
    exchanges: () => exchanges,
    connections: () => connections,
    react: (token, ...given) => void reactions.set(token, given),
    reactToExchange: (reaction) => {
      exchangeReaction = reaction
    },
    revokeTokens: () => live.clear(),
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}
