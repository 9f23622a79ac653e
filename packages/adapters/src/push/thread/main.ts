import { parentPort, workerData } from "node:worker_threads"
import { systemClock } from "../../system/clock.ts"
import { makePushSender, type SenderSettings } from "../sender.ts"
import type { ThreadAnswer, ThreadRequest } from "./messages.ts"

// The thread of `sender-in-thread.ts`. What it imports is loaded once more for it: nothing that needs effect.

const sender = makePushSender(workerData as SenderSettings, systemClock)
const stops = new Map<number, AbortController>()

const answer = (said: ThreadAnswer) => parentPort?.postMessage(said)

const send = async ({ batch, account, messages }: ThreadRequest & { readonly kind: "send" }) => {
  const stop = new AbortController()
  stops.set(batch, stop)
  const outcomes = await sender.send(account, messages, stop.signal)
  stops.delete(batch)
  answer({ kind: "sent", batch, outcomes })
}

parentPort?.on("message", async (asked: ThreadRequest) => {
  if (asked.kind === "send") return await send(asked)
  if (asked.kind === "stop") return stops.get(asked.batch)?.abort()
  await sender.close()
  answer({ kind: "closed" })
})
answer({ kind: "ready" })
