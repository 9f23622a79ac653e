import { connect } from "node:http2"
import { openPush, systemClock, systemIds } from "@hearth/adapters"
import { buildApnsPayload, buildFcmMessage, type PushAccount, type PushMessage } from "@hearth/core/push"
import { Effect } from "effect"
import { Pool } from "undici"
import { atMost, type Figure, measureInTurns, median, ratio, runConcurrently } from "../harness/figure.ts"
import { type PushProvider, startPushProvider } from "../harness/push-provider.ts"

const rounds = 5
const pushes = 20_000
// As campaigns are sent.
const batch = 500
const lanes = 2

const ids = systemIds(systemClock)

const aMessage = (index: number): PushMessage => ({
  delivery_id: ids.uuid(),
  token: `${index}`.padStart(64, "a"),
  title: "There is news",
  body: `Hello ${index}, your friends have been busy.`,
  data: { screen: "feed", item: index },
  options: { collapse_id: "news", sound: "default" },
})

const accountOf = ({ credentials }: PushProvider, provider: PushAccount["provider"]): PushAccount => {
  const of = { project_id: "bench", version: "1" }
  return provider === "push_a" ? { ...of, provider, ...credentials.push_a } : { ...of, provider, ...credentials.push_b }
}

/**
 * Sends through the gateway, in batches as a campaign does, and keeps no books: what campaigns are compared with. Answers a function
 * that sends `count` pushes and answers how many were accepted.
 */
export const openPlainSender = (provider: PushProvider, kind: PushAccount["provider"]) => {
  const { gateway, close } = openPush(
    { addresses: { push_a: provider.apnsUrl, push_b: provider.fcmUrl }, development: false },
    { clock: systemClock, signals: { emit: () => {} }, inThread: true },
  )
  const account = accountOf(provider, kind)
  const send = async (count: number): Promise<number> => {
    let accepted = 0
    await runConcurrently(lanes, Math.ceil(count / batch), async (turn) => {
      const messages = Array.from({ length: Math.min(batch, count - turn * batch) }, (_, index) =>
        aMessage(turn * batch + index),
      )
      const outcomes = await Effect.runPromise(gateway.send(account, messages))
      accepted += outcomes.filter((outcome) => outcome.kind === "sent").length
    })
    if (accepted !== count) throw new Error(`Of ${count} pushes ${accepted} were accepted.`)
    return accepted
  }
  return { send, close }
}

/** The same requests by node's HTTP/2 client alone: the bound of APNs. */
const openBareApns = ({ apnsUrl }: PushProvider) => {
  const session = connect(apnsUrl)
  const one = (message: PushMessage) =>
    new Promise<void>((resolve, reject) => {
      const stream = session.request({
        ":method": "POST",
        ":path": `/3/device/${message.token}`,
        ...{ authorization: `bearer ${"x".repeat(180)}`, "apns-topic": "com.example.bench", "apns-push-type": "alert" },
        ...{ "apns-priority": "10", "apns-expiration": "1800000000", "apns-id": message.delivery_id },
        "apns-collapse-id": "news",
      })
      stream.on("error", reject)
      stream.on("close", resolve)
      stream.resume()
      stream.end(JSON.stringify(buildApnsPayload(message)))
    })
  return {
    send: (count: number) => runConcurrently(250, count, (index) => one(aMessage(index))),
    close: async () => session.close(),
  }
}

/** The same requests by undici alone: the bound of FCM. */
const openBareFcm = ({ fcmUrl }: PushProvider) => {
  const pool = new Pool(fcmUrl, { connections: 32 })
  const headers = { authorization: `Bearer ${"x".repeat(180)}`, "content-type": "application/json" }
  const one = async (message: PushMessage) => {
    const body = JSON.stringify({ message: buildFcmMessage(message, systemClock.now()) })
    const answer = await pool.request({ method: "POST", path: "/v1/projects/bench/messages:send", headers, body })
    return answer.body.json()
  }
  return {
    send: (count: number) => runConcurrently(250, count, (index) => one(aMessage(index))),
    close: () => pool.close(),
  }
}

type Sender = { readonly send: (count: number) => Promise<number>; readonly close: () => Promise<void> }

const measureCpu = async (send: Sender["send"]): Promise<number> => {
  const micros: Array<number> = []
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage()
    await send(pushes)
    const { user, system } = process.cpuUsage(before)
    micros.push((user + system) / pushes)
  }
  return median(micros)
}

/** Pushes through the gateway to a provider that answers at once, against the same HTTP client alone. */
export const pushGateway = async (): Promise<ReadonlyArray<Figure>> => {
  const provider = await startPushProvider()
  const figures: Array<Figure> = []
  const kinds = [
    ["APNs", "node's HTTP/2 client alone", openPlainSender(provider, "push_a"), openBareApns(provider)],
    ["FCM", "undici alone", openPlainSender(provider, "push_b"), openBareFcm(provider)],
  ] as const
  for (const [name, what, ours, bare] of kinds) {
    for (const sender of [ours, bare]) await sender.send(pushes)
    const rates = await measureInTurns(
      rounds,
      () => ours.send(pushes),
      () => bare.send(pushes),
    )
    figures.push(ratio(`Pushes through ${name}`, "pushes/s", ...rates, what, 0.5))
    figures.push(atMost(`Processor time of a push through ${name}`, "µs", await measureCpu(ours.send), 150))
    await ours.close()
    await bare.close()
  }
  await provider.stop()
  return figures
}
