import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { connectTo } from "../harness/database.ts"
import { atMost, type Figure, median, ratio } from "../harness/figure.ts"
import { startPushProvider } from "../harness/push-provider.ts"
import { call, emptyDataDir, removeDataDir, type Service, setUp, startService } from "../harness/service.ts"
import { openPlainSender } from "./push-gateway.ts"

const devices = Number(process.env["HEARTH_BENCH_DEVICES"] ?? 200_000)
// The first campaign compiles, and lets the young generation of the heap grow to its size.
const warmUpDevices = Math.min(20_000, devices / 2)
const plainRounds = 3
const plainPushes = 20_000
const quietMillis = 10_000
const pauseMillis = 5

const insertDevices = `
  with made as (
    insert into app_users (id, email, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
      external_id, avatar_url, timezone, password_hash, email_verified_at, is_disabled, created_at, updated_at)
    select gen_random_uuid(), null, 'User ' || n, 'bench-' || n, '["anonymous"]', '{"city": {"name": "Bonn"}}', now(), now(),
      null, null, null, null, null, false, now(), now()
    from generate_series($1::int, $2::int) n returning id
  )
  insert into push_tokens (id, app_user_id, platform, provider, token, is_active, created_at)
  select gen_random_uuid(), id, 'ios', 'push_a', encode(sha256(id::text::bytea), 'hex'), true, now() from made`

const insertCampaign = `
  insert into push_campaigns (id, name, title, body, data, options, delivery_mode, status, created_at, updated_at)
  values ($1, 'News', 'There is news, {{display_name}}', 'Your friends in {{properties.city.name}} have been busy.',
    '{"screen": "feed"}', '{"collapse_id": "news", "sound": "default"}', 'absolute', 'sending', now(), now())`

// Two rows: what is asked for ten times a second must not be what is measured.
const readProgress = `
  select c.status, s.sent from push_campaigns c left join push_campaign_stats s on s.campaign_id = c.id where c.id = $1`

const readSeconds = `
  select extract(epoch from max(sent_at) - min(claimed_at)) as seconds from push_deliveries where campaign_id = $1`

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const readMemory = ({ pid }: Service): number => {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

/** Calls one after the other while `goesOn`, and answers what 99 of 100 take at most. */
const measureCalls = async (one: () => Promise<unknown>, goesOn: () => boolean): Promise<number> => {
  const times: Array<number> = []
  while (goesOn()) {
    const began = performance.now()
    await one()
    times.push(performance.now() - began)
    await wait(pauseMillis)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

const measurePlain = async (provider: Awaited<ReturnType<typeof startPushProvider>>): Promise<number> => {
  const { send, close } = openPlainSender(provider, "push_a")
  const rates: Array<number> = []
  for (let round = 0; round <= plainRounds; round += 1) {
    const began = performance.now()
    const sent = await send(plainPushes)
    // The first round compiles.
    if (round > 0) rates.push(sent / ((performance.now() - began) / 1000))
  }
  await close()
  return median(rates)
}

/** What a campaign has come to, and what it has done to memory and to calls of the API. */
interface Sent {
  readonly sent: number
  readonly seconds: number
  readonly grownBy: number
  readonly busy: number
}

/** Has a campaign sent to everybody in a project, and watches. */
const sendCampaign = async (service: Service, projectId: string, me: () => Promise<unknown>): Promise<Sent> => {
  const id = randomUUID()
  const [database, control] = [await connectTo(service.dataDir, projectId), await connectTo(service.dataDir, "hearth")]
  const base = readMemory(service)
  let [isOver, sent, most] = [false, 0, base]
  await database.query(insertCampaign, [id])
  await control.query("update project_jobs set run_at = now() where job = 'push.campaigns'")
  const readState = async () => {
    await wait(100)
    most = Math.max(most, readMemory(service))
    const { rows } = await database.query(readProgress, [id])
    return rows[0]
  }
  while ((await readState())?.sent === null) {}
  const watch = async () => {
    while (!isOver) {
      const state = await readState()
      if (state?.status === "sending") continue
      isOver = true
      sent = Number(state?.sent)
    }
  }
  const [busy] = await Promise.all([measureCalls(me, () => !isOver), watch()])
  const { rows } = await database.query(readSeconds, [id])
  await Promise.all([database.end(), control.end()])
  return { sent, seconds: Number(rows[0]?.seconds), grownBy: most - base, busy }
}

/** A campaign to all devices of a project, against the gateway without books; what it does to memory and to calls of the API. */
export const pushCampaign = async (): Promise<ReadonlyArray<Figure>> => {
  const provider = await startPushProvider()
  const before = await measurePlain(provider)
  Object.assign(process.env, { PUSH_A_URL: provider.apnsUrl, PUSH_B_URL: provider.fcmUrl })
  const service = await startService(emptyDataDir())
  const { client, developer, projectId } = await setUp(service, 1)
  const config = JSON.stringify({ is_active: true, config: provider.credentials.push_a })
  await call(service, "PUT", `/admin/projects/${projectId}/integrations/push_a`, developer, config)
  const database = await connectTo(service.dataDir, projectId)
  const me = () => call(service, "GET", "/client/users/me", client)
  await database.query(insertDevices, [1, warmUpDevices])
  await sendCampaign(service, projectId, me)
  await database.query(insertDevices, [warmUpDevices + 1, devices])
  await database.query("vacuum analyze")
  await database.end()
  const quietEnd = performance.now() + quietMillis
  const quiet = await measureCalls(me, () => performance.now() < quietEnd)
  const { sent, seconds, grownBy, busy } = await sendCampaign(service, projectId, me)
  await service.stop()
  removeDataDir(service.dataDir)
  const after = await measurePlain(provider)
  await provider.stop()
  if (sent !== devices) throw new Error(`Of ${devices} pushes ${sent} were sent.`)
  const size = `${devices.toLocaleString("en")} devices`
  return [
    ratio(`Campaign to ${size}`, "pushes/s", sent / seconds, median([before, after]), "the gateway without books", 0.5),
    atMost(`Campaign to ${size}: growth of memory`, "MiB", grownBy, 64),
    atMost(
      `GET /client/users/me while a campaign is sent, p99, × quiet (${quiet.toFixed(1)} ms)`,
      "×",
      busy / quiet,
      4,
      2,
    ),
  ]
}
