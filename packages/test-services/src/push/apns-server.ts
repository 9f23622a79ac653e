import { once } from "node:events"
import {
  constants,
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2"
import type { AddressInfo } from "node:net"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { certificate } from "../mail-server/certificate.ts"
import { apnsKey } from "./keys.ts"

/** Whom a server of APNs knows. */
export const apnsTeam = { team_id: "TEAM000001", key_id: "KEY0000001", topic: "com.example.app" } as const

/** A push as the server got it. */
export interface ApnsCall {
  readonly token: string
  readonly headers: IncomingHttpHeaders
  readonly payload: Readonly<Record<string, unknown>>
  /** The number of the connection, from 1. */
  readonly connection: number
}

/** What the server does with a push that has passed its checks. */
export type ApnsReaction = (stream: ServerHttp2Stream, call: ApnsCall) => void

/** Answers with a status and, unless it is 200, a reason. */
export const apnsAnswer =
  (status: number, reason = "", more: { readonly timestamp?: number; readonly headers?: object } = {}): ApnsReaction =>
  (stream, { headers }) => {
    const { timestamp, headers: extra = {} } = more
    stream.respond({ ":status": status, "apns-id": String(headers["apns-id"]), ...extra })
    stream.end(status === 200 ? "" : JSON.stringify({ reason, ...(timestamp === undefined ? {} : { timestamp }) }))
  }

/** Answers with this body, whatever it is. */
export const apnsBody =
  (status: number, body: string): ApnsReaction =>
  (stream) => {
    stream.respond({ ":status": status })
    stream.end(body)
  }

/** Ends the stream without an answer. */
export const apnsReset =
  (code: number = constants.NGHTTP2_INTERNAL_ERROR): ApnsReaction =>
  (stream) =>
    stream.close(code)

/** Refuses the stream before any processing. */
export const apnsRefuseStream: ApnsReaction = apnsReset(constants.NGHTTP2_REFUSED_STREAM)

/** Begins an answer, and ends the stream in the middle of it. */
export const apnsCut =
  (status: number): ApnsReaction =>
  (stream) => {
    stream.respond({ ":status": status })
    stream.write('{"reas')
    setTimeout(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 20)
  }

/** Cuts the connection with all of its streams. */
export const apnsHangUp: ApnsReaction = (stream) => stream.session?.destroy()

/** Says that the connection ends, and that this stream and later ones were not processed. Not for the first stream of a connection. */
export const apnsGoAwayBefore =
  (code: number = constants.NGHTTP2_NO_ERROR): ApnsReaction =>
  (stream) =>
    stream.session?.goaway(code, (stream.id ?? 3) - 2, Buffer.from('{"reason":"Shutdown"}'))

/** Says that the connection ends with the streams that it has got so far, and answers this one later. */
export const apnsGoAwayAfter: ApnsReaction = (stream, call) => {
  // Node takes 0 for the last stream that has come.
  stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 0, Buffer.from('{"reason":"Shutdown"}'))
  setTimeout(() => apnsAnswer(200)(stream, call), 30)
}

/** Never answers. */
export const apnsSilence: ApnsReaction = () => {}

/** A server of APNs on loopback. */
export interface ApnsServer {
  readonly url: string
  /** What came through the checks, the oldest first. */
  readonly calls: ReadonlyArray<ApnsCall>
  /** How often a push of that `apns-id` came. */
  countCalls(apnsId: string): number
  /** How many connections were made, and how many are open. */
  connections(): { readonly made: number; readonly open: number }
  /** The provider tokens that were presented, each once. */
  readonly bearers: ReadonlySet<string>
  /** Reacts so to pushes to that token, one after the other, and like the last one from then on. */
  react(token: string, ...reactions: ReadonlyArray<ApnsReaction>): void
  /** Refuses provider tokens with this reason instead of checking them; null checks them. */
  refuseBearers(refusal: { readonly status: number; readonly reason: string } | null): void
  stop(): Promise<void>
}

/** How a server is started. */
export interface ApnsServerOptions {
  readonly now?: () => Date
  readonly maxStreams?: number
  /** TLS with a certificate for localhost, else HTTP/2 from the first byte. */
  readonly secure?: boolean
  readonly port?: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

type Refusal = { readonly status: number; readonly reason: string }
const no = (status: number, reason: string): Refusal => ({ status, reason })

const checkBearer = async (authorization: string | undefined, now: Date): Promise<Refusal | null> => {
  const jwt = /^bearer (\S+)$/.exec(authorization ?? "")?.[1]
  if (jwt === undefined) return no(403, "MissingProviderToken")
  try {
    const { kid, alg } = decodeProtectedHeader(jwt)
    if (kid !== apnsTeam.key_id || alg !== "ES256") return no(403, "InvalidProviderToken")
    const { payload } = await jwtVerify(jwt, apnsKey(kid).publicKey, { issuer: apnsTeam.team_id, currentDate: now })
    const age = now.getTime() / 1000 - Number(payload.iat)
    return age > 3600 ? no(403, "ExpiredProviderToken") : age < -60 ? no(403, "InvalidProviderToken") : null
  } catch {
    return no(403, "InvalidProviderToken")
  }
}

const checkHeaders = (headers: IncomingHttpHeaders): Refusal | null => {
  const bytes = Buffer.byteLength(String(headers["apns-collapse-id"] ?? ""), "latin1")
  if (headers[":method"] !== "POST") return no(405, "MethodNotAllowed")
  if (!/^\/3\/device\/[^/?]+$/.test(String(headers[":path"]))) return no(404, "BadPath")
  if (headers["apns-topic"] === undefined) return no(400, "MissingTopic")
  if (headers["apns-topic"] !== apnsTeam.topic) return no(400, "TopicDisallowed")
  if (headers["apns-push-type"] !== "alert") return no(400, "InvalidPushType")
  if (headers["apns-priority"] !== "10") return no(400, "BadPriority")
  if (!/^\d{1,10}$/.test(String(headers["apns-expiration"]))) return no(400, "BadExpirationDate")
  if (!uuid.test(String(headers["apns-id"]))) return no(400, "BadMessageId")
  return bytes > 64 ? no(400, "BadCollapseId") : null
}

const readPayload = (body: Buffer): Readonly<Record<string, unknown>> | Refusal => {
  if (body.length > 4096) return no(413, "PayloadTooLarge")
  try {
    const payload = JSON.parse(body.toString("utf8"))
    return typeof payload.aps.alert.title === "string" ? payload : no(400, "PayloadEmpty")
  } catch {
    return no(400, "PayloadEmpty")
  }
}

const isRefusal = (value: object): value is Refusal => "status" in value && "reason" in value

/** Starts a server that checks what APNs checks, and then does what it was told for the token. */
export const startApnsServer = async ({
  now = () => new Date(),
  maxStreams = 1000,
  secure = false,
  port = 0,
}: ApnsServerOptions = {}): Promise<ApnsServer> => {
  const calls: Array<ApnsCall> = []
  const counts = new Map<string, number>()
  const bearers = new Set<string>()
  const reactions = new Map<string, ReadonlyArray<ApnsReaction>>()
  const sessions = new Map<ServerHttp2Session, number>()
  let made = 0
  let refusal: Refusal | null = null
  const settings = { maxConcurrentStreams: maxStreams }
  const server = secure ? createSecureServer({ ...certificate, settings }) : createServer({ settings })

  const handle = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, body: Buffer) => {
    const connection = sessions.get(stream.session as ServerHttp2Session) ?? 0
    const id = String(headers["apns-id"])
    counts.set(id, (counts.get(id) ?? 0) + 1)
    bearers.add(String(headers.authorization))
    const payload = readPayload(body)
    const refused =
      checkHeaders(headers) ??
      refusal ??
      (await checkBearer(headers.authorization, now())) ??
      (isRefusal(payload) ? payload : null)
    const token = decodeURIComponent(String(headers[":path"]).replace("/3/device/", ""))
    const call: ApnsCall = { token, headers, payload: isRefusal(payload) ? {} : payload, connection }
    if (stream.destroyed) return
    if (refused !== null) return apnsAnswer(refused.status, refused.reason)(stream, call)
    calls.push(call)
    const [first, ...others] = reactions.get(token) ?? []
    if (others.length > 0) reactions.set(token, others)
    ;(first ?? apnsAnswer(200))(stream, call)
  }
  server.on("session", (session) => {
    made += 1
    sessions.set(session, made)
    session.on("error", () => {})
    session.on("close", () => sessions.delete(session))
  })
  server.on("stream", (stream, headers) => {
    const chunks: Array<Buffer> = []
    stream.on("error", () => {})
    stream.on("data", (chunk: Buffer) => chunks.push(chunk))
    stream.on("end", () => void handle(stream, headers, Buffer.concat(chunks)))
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `${secure ? "https://localhost" : "http://127.0.0.1"}:${(server.address() as AddressInfo).port}`,
    calls,
    bearers,
    countCalls: (id) => counts.get(id) ?? 0,
    connections: () => ({ made, open: sessions.size }),
    react: (token, ...given) => void reactions.set(token, given),
    refuseBearers: (next) => {
      refusal = next
    },
    stop: async () => {
      for (const session of sessions.keys()) session.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
