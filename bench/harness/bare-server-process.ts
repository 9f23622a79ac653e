import { generateKeyPairSync, hash, randomBytes, randomUUID, sign, verify } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"

// The least that answers the same calls: node:http, pg, and one named statement per call. It checks nothing but the token.
const projectId = process.env["BARE_PROJECT"] ?? ""
const pool = new pg.Pool({ ...JSON.parse(process.env["BARE_DATABASE"] ?? "{}"), max: 10 })

const { privateKey, publicKey } = generateKeyPairSync("ed25519")
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const header = (kind: string) => encode({ alg: "EdDSA", kid: "bare", typ: `${kind}+jwt` })
const headers = { session: header("hearth-session"), refresh: header("hearth-refresh") }

const signToken = (kind: "session" | "refresh", claims: object, seconds: number) => {
  const iat = Math.floor(Date.now() / 1000)
  const body = `${headers[kind]}.${encode({ iss: "hearth", aud: `hearth-${kind}`, ...claims, iat, exp: iat + seconds })}`
  return `${body}.${sign(null, Buffer.from(body), privateKey).toString("base64url")}`
}

/** Ids in the order of time, like those of the service: others would be written to all pages of an index. */
const newId = () => {
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const known = new Map<string, string>()

/** The user of a session token. */
const userOf = ({ headers }: IncomingMessage): string => {
  const token = headers.authorization?.slice("Bearer ".length) ?? ""
  const user = known.get(token)
  if (user !== undefined) return user
  const [head = "", claims = "", signature = ""] = token.split(".")
  const isOurs = verify(null, Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, "base64url"))
  if (!isOurs) throw new Error("This token is not ours.")
  const { sub } = JSON.parse(Buffer.from(claims, "base64url").toString())
  known.set(token, sub)
  return sub
}

const query = async (name: string, text: string, values: ReadonlyArray<unknown>) =>
  (await pool.query({ name, text, values: [...values] })).rows

const signUp = async () => {
  const [id, sid, jti] = [newId(), newId(), newId()]
  const anonymous_id = `anon_${randomBytes(18).toString("base64url")}`
  const claims = { sub: id, pid: projectId, sid }
  const session_token = signToken("session", { ...claims, jti: newId() }, 3_600)
  const refresh_token = signToken("refresh", { ...claims, jti }, 5_184_000)
  const now = new Date()
  await query(
    "sign-up",
    `with made as (
       insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       values ($1, $2, $3, '[]', '{}', $4, $4, false, $4, $4)
     ), family as (
       insert into app_user_session_families (id, owner_id, created_at, last_used_at) values ($5, $1, $4, $4)
     )
     insert into app_user_sessions (id, family_id, token_hash, created_at, expires_at)
     values ($6, $5, $7, $4, $4::timestamptz + interval '60 days')`,
    [id, "BareUser", anonymous_id, now, sid, jti, hash("sha256", refresh_token, "hex")],
  )
  const seen = { first_seen_at: now, last_seen_at: now }
  const user = { id, email: null, display_name: "BareUser", anonymous_id, auth_providers: [], properties: {}, ...seen }
  return { session_token, refresh_token, user, anonymous_id }
}

const readProfile = async (request: IncomingMessage) => {
  const [profile] = await query(
    "profile",
    `select id, email, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at, avatar_url,
       timezone, coalesce((
         select json_agg(e) from (
           select id, entitlement_id, is_active, expiration_date from user_entitlements where app_user_id = app_users.id
         ) as e
       ), '[]') as entitlements
     from app_users where id = $1`,
    [userOf(request)],
  )
  return profile
}

interface Event {
  readonly app_user_id?: string
  readonly event_name: string
  readonly properties: object
  readonly occurred_at: string
  readonly event_id?: string
}

// A table like the outbox: in that of the service the events would be handled too.
const queue = `insert into bare_outbox (topic, event_ids, bytes, created_at)
  select 'events', array_agg(id), $1::int, now() from written`

const recordEvent = async (request: IncomingMessage, { event_name, properties, occurred_at }: Event, bytes: number) => {
  await query(
    "event",
    `with written as (
       insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, plane)
       values ($2, $3, $4, $5, $6, 'client') returning id
     ) ${queue}`,
    [bytes, newId(), userOf(request), event_name, JSON.stringify(properties), occurred_at],
  )
  return { inserted: 1, skipped: 0, tracked: 1 }
}

const recordBatch = async (request: IncomingMessage, events: ReadonlyArray<Event>, bytes: number) => {
  userOf(request)
  const rows = events.map(({ event_id, ...event }) => ({ ...event, id: newId(), external_id: event_id }))
  await query(
    "batch",
    `with written as (
       insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id, plane)
       select id, app_user_id, event_name, properties, occurred_at, external_id, 'admin'
       from jsonb_to_recordset($2::jsonb)
         as rows (id uuid, app_user_id uuid, event_name text, properties jsonb, occurred_at timestamptz, external_id text)
       on conflict (external_id) do nothing returning id
     ) ${queue}`,
    [bytes, JSON.stringify(rows)],
  )
  return { inserted: events.length, skipped: 0, tracked: events.length }
}

const answer = (request: IncomingMessage, text: string): Promise<unknown> => {
  if (request.url === "/v1/client/auth/anonymous") return signUp()
  if (request.url === "/v1/client/users/me") return readProfile(request)
  if (request.url === "/v1/client/events") return recordEvent(request, JSON.parse(text), text.length)
  return recordBatch(request, JSON.parse(text).events, text.length)
}

const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (part: string) => {
    text += part
  })
  request.on("end", async () => {
    const [status, body] = await answer(request, text).then(
      (data) => [200, JSON.stringify({ data })] as const,
      (error: unknown) => [500, String(error)] as const,
    )
    const length = Buffer.byteLength(body)
    response.writeHead(status, { "content-type": "application/json", "content-length": length }).end(body)
  })
})
// Its connections stay between the rounds of a benchmark.
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit(0))
