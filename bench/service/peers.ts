import { setTimeout as sleep } from "node:timers/promises"
import { startChildServer } from "../harness/child-server.ts"
import { type Call, type Clients, makeClients } from "../harness/clients.ts"
import { connectTo, findDatabase } from "../harness/database.ts"
import { type Figure, type Pace, paceInTurns } from "../harness/figure.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const rounds = 5
const clients = 32
const users = 50
const batchSize = 500
const batchClients = 4

type Headers = Readonly<Record<string, string>>

/** A server that is measured: its clients, what they send along, and its users in a project. */
interface Peer {
  readonly clients: Clients
  readonly few: Clients
  readonly alone: Clients
  readonly cpuMillis: () => number
  readonly projectId: string
  readonly key: Headers
  readonly developer: Headers
  readonly userIds: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<string>
  readonly close: () => void
}

type CallOf = (peer: Peer, index: number) => Call

const bearer = (token = ""): Headers => ({ authorization: `Bearer ${token}` })

const signUp: CallOf = ({ key }) => ({ method: "POST", path: "/v1/client/auth/anonymous", headers: key })

const asUser = ({ key, tokens }: Pick<Peer, "key" | "tokens">, index: number): Headers => ({
  ...key,
  ...bearer(tokens[index % users]),
})

const readProfile: CallOf = (peer, index) => ({
  ...{ method: "GET", path: "/v1/client/users/me", headers: asUser(peer, index) },
})

const event = (lesson: number) => ({
  event_name: "lesson_completed",
  properties: { lesson, course: "spanish" },
  occurred_at: new Date().toISOString(),
})

const sendEvent: CallOf = (peer, index) => ({
  ...{ method: "POST", path: "/v1/client/events", headers: asUser(peer, index) },
  body: JSON.stringify(event(index)),
})

const sendBatch: CallOf = ({ developer, projectId, userIds }) => {
  const events = Array.from({ length: batchSize }, (_, index) => ({
    ...event(index),
    app_user_id: userIds[index % users],
    event_id: crypto.randomUUID(),
  }))
  const path = `/v1/admin/projects/${projectId}/events`
  return { method: "POST", path, headers: developer, body: JSON.stringify({ events }) }
}

const openPeer = async (
  server: { readonly origin: string; cpuMillis(): number },
  project: Pick<Peer, "key" | "projectId">,
  developer?: Headers,
): Promise<Peer> => {
  const [many, few, alone] = [
    makeClients(server.origin, clients),
    makeClients(server.origin, batchClients),
    makeClients(server.origin, 1),
  ]
  const peer = { ...project, clients: many, few, alone, cpuMillis: server.cpuMillis }
  const made = []
  for (let index = 0; index < users; index += 1) {
    made.push(JSON.parse(await alone.ask(signUp({ ...peer, key: project.key } as Peer, index))).data)
  }
  return {
    ...peer,
    developer: developer ?? bearer(made[0].session_token),
    userIds: made.map(({ user }) => user.id),
    tokens: made.map(({ session_token }) => session_token),
    close: () => {
      for (const each of [many, few, alone]) each.close()
    },
  }
}

/** Rounds of the same calls to each of the peers, in turns, after some that are not measured. */
const paceCalls = async (
  peers: ReadonlyArray<Peer>,
  run: (peer: Peer) => Promise<number>,
  settle: () => Promise<unknown> = async () => {},
): Promise<ReadonlyArray<Pace>> => {
  for (const peer of [...peers, ...peers]) await run(peer)
  await settle()
  const works = peers.map((peer) => ({ run: () => run(peer), cpuMillis: peer.cpuMillis, settle }))
  return paceInTurns(rounds, ...works)
}

const p99 = (times: ReadonlyArray<number>) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** The 99th of a hundred calls of one client to each of the peers in milliseconds, a hundred calls of each in turns. */
const timeAlone = async (peers: ReadonlyArray<Peer>, callOf: CallOf): Promise<ReadonlyArray<number>> => {
  const times = peers.map((): Array<number> => [])
  for (let turn = 0; turn < 10; turn += 1) {
    for (const [at, peer] of peers.entries()) {
      for (let index = 0; index < 100; index += 1) {
        const began = performance.now()
        await peer.alone.ask(callOf(peer, index))
        times[at]?.push(performance.now() - began)
      }
    }
  }
  return times.map(p99)
}

interface Goal {
  /** The least of the bare server's rate. */
  readonly least: number
  /** The most CPU time of a unit, in milliseconds. */
  readonly most?: number
}

const paceText = ({ rate, cpu }: Pace, unit: string) =>
  `${Math.round(rate).toLocaleString("en")} ${unit}/s at ${cpu.toFixed(3)} ms CPU each`

const compareRates = (name: string, unit: string, paces: ReadonlyArray<Pace>, { least, most }: Goal): Figure => {
  const [ours, bare, quiet] = paces as readonly [Pace, Pace, Pace?]
  const alone = quiet === undefined ? "" : ` (${quiet.cpu.toFixed(3)} without reactions)`
  const limit = most === undefined ? "" : `, and ≤ ${most} ms CPU each`
  return {
    name,
    measured: `${paceText(ours, unit)}${alone} = ${(ours.rate / bare.rate).toFixed(2)} ×`,
    bound: `≥ ${least} × node:http with pg (${paceText(bare, unit)})${limit}`,
    kept: ours.rate >= least * bare.rate && (most === undefined || ours.cpu <= most),
  }
}

const compareEvents = async (
  [ours, bare, quiet]: readonly [Peer, Peer, Peer],
  settle: () => Promise<unknown>,
): Promise<ReadonlyArray<Figure>> => {
  const singles = await paceCalls(
    [ours, bare, quiet],
    (peer) => peer.clients.send(3_000, sendEvent.bind(null, peer)),
    settle,
  )
  const [one = 0, bareOne = 0] = await timeAlone([ours, bare], sendEvent)
  await settle()
  const batches = await paceCalls(
    [ours, bare, quiet],
    async (peer) => batchSize * (await peer.few.send(8, sendBatch.bind(null, peer))),
    settle,
  )
  return [
    compareRates(`Single events of ${clients} clients over HTTP`, "events", singles, { least: 1.2 }),
    {
      name: "A single event of one client over HTTP, p99",
      measured: `${one.toFixed(1)} ms`,
      bound: `≤ 3 ms more than node:http with pg (${bareOne.toFixed(1)} ms)`,
      kept: one <= bareOne + 3,
    },
    compareRates(`Batches of ${batchSize} events over HTTP`, "events", batches, { least: 0.75 }),
  ]
}

// A table like the outbox for what the bare server writes: in that of the service the events would be handled too.
const ownOutbox = `create table bare_outbox (like outbox including all);
  alter table bare_outbox alter id drop identity if exists; alter table bare_outbox alter id add generated always as identity`

// Nobody handles such a topic: what requests cost is told apart from what reactions cost.
const withoutReactions = `
  create function keep_from_reactions() returns trigger language plpgsql as $$ begin new.topic := 'unhandled'; return new; end $$;
  create trigger keep_from_reactions before insert on outbox for each row execute function keep_from_reactions()`

/** Hot calls of the service against a server of node:http and pg alone, on the same databases. */
export const peers = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const { developer, projectId, client } = await setUp(service, 1)
  const key = { "x-api-key": client["x-api-key"] ?? "" }
  const other = await call(service, "POST", "/admin/projects", developer, JSON.stringify({ name: "Quiet" }))
  const [database, otherDatabase] = [
    await connectTo(service.dataDir, projectId),
    await connectTo(service.dataDir, other.id),
  ]
  await database.query(ownOutbox)
  await otherDatabase.query(withoutReactions)
  const bareServer = await startChildServer(new URL("../harness/bare-server-process.ts", import.meta.url), {
    BARE_PROJECT: projectId,
    BARE_DATABASE: JSON.stringify(findDatabase(service.dataDir, projectId)),
  })
  const ours = await openPeer(service, { key, projectId }, developer)
  const bare = await openPeer(bareServer, { key, projectId })
  const quiet = await openPeer(service, { key: { "x-api-key": other.client_api_key }, projectId: other.id }, developer)

  /** Waits until all events of our project are handled, and forgets those that nobody handles. */
  const settle = async () => {
    await database.query("truncate bare_outbox")
    await otherDatabase.query("truncate outbox")
    while ((await database.query("select from outbox limit 1")).rowCount !== 0) await sleep(20)
  }
  const [signUps, profiles] = [
    await paceCalls([ours, bare], (peer) => peer.clients.send(600, signUp.bind(null, peer))),
    await paceCalls([ours, bare], (peer) => peer.clients.send(3_000, readProfile.bind(null, peer))),
  ]
  const figures = [
    compareRates("Anonymous sign-up over HTTP", "sign-ups", signUps, { least: 0.6, most: 0.8 }),
    compareRates("GET /client/users/me over HTTP", "calls", profiles, { least: 0.75, most: 0.25 }),
    ...(await compareEvents([ours, bare, quiet], settle)),
  ]
  for (const peer of [ours, bare, quiet]) peer.close()
  await bareServer.stop()
  await Promise.all([database.end(), otherDatabase.end()])
  return figures
}
