import { readFileSync } from "node:fs"
import { buildApnsPayload, buildFcmMessage } from "@hearth/core/push"
import {
  apnsAnswer,
  type FcmReaction,
  fcmBody,
  fcmError,
  startApnsServer,
  startFcmServer,
} from "@hearth/test-services/push"
import { aPushMessage } from "@hearth/testing/contracts"
import { describe, expect, it, onTestFinished } from "vitest"
import { apnsAccount, fcmAccount, testGateway } from "./harness.ts"

const page = readFileSync(new URL("../../../../docs/push.md", import.meta.url), "utf8")

const exampleOf = (name: string): unknown =>
  JSON.parse(new RegExp(`\`\`\`json ${name}\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? "")

/** The rows of a table: each answer with what became of it. */
const rowsOf = (heading: string) => {
  const [, table = ""] = page.split(`| ${heading} |`)
  const lines = table.split("\n\n")[0]?.split("\n").slice(2) ?? []
  return lines.flatMap((line) => {
    const [, answers = "", kind = ""] = line.split("|")
    return answers.split(", ").map((answer) => {
      const [, status = "", reason = "", rest = ""] = /(\d{3})(?: `(\w+)`)?(.*)/.exec(answer.trim()) ?? []
      return [
        `${status} ${reason}${rest}`,
        { status: Number(status), reason, rest, kind: kind.trim().replaceAll("`", "") },
      ] as const
    })
  })
}

const message = aPushMessage({
  delivery_id: "0195a5c8-0000-7000-8000-000000000001",
  token: "the-token-of-the-device",
  title: "Hello Ada",
  body: "There is news.",
  data: { screen: "feed", item: 7 },
  options: { sound: "ping.caf", badge: 3, image_url: "https://example.com/news.png", collapse_id: "news" },
})

describe("docs/push.md", () => {
  it("shows what apps receive", () => {
    expect(exampleOf("apns")).toEqual(buildApnsPayload(message))
    expect(exampleOf("fcm")).toEqual(buildFcmMessage(message, new Date("2026-03-01T12:00:00.000Z")))
  })

  it.each(rowsOf("Answer of APNs"))("says what APNs' %s means", async (_, { status, reason, kind }) => {
    const server = await startApnsServer()
    onTestFinished(server.stop)
    server.react("device", apnsAnswer(status, reason))
    const { send } = testGateway({ push_a: server.url })
    const [outcome] = await send(apnsAccount(), [aPushMessage({ token: "device" })])
    expect(outcome?.kind).toBe(kind)
  })

  it.each(rowsOf("Answer of FCM"))("says what FCM's %s means", async (_, { status, reason, rest, kind }) => {
    const server = await startFcmServer()
    onTestFinished(server.stop)
    const ofToken = rest.includes("token")
    const fields = rest === "" ? undefined : [ofToken ? "message.token" : "message.data"]
    const reaction: FcmReaction =
      status === 200 ? fcmBody(200, "{}") : fcmError(status, reason, { errorCode: reason, ...(fields && { fields }) })
    server.react("device", reaction)
    const { send } = testGateway({ push_b: server.url })
    const messages = [aPushMessage({ token: "device" }), ...(ofToken ? [aPushMessage()] : [])]
    const [outcome] = await send(fcmAccount(server.tokenUri), messages)
    expect(outcome?.kind).toBe(kind)
  })

  it("has rows", () => {
    expect(rowsOf("Answer of APNs")).toHaveLength(32)
    expect(rowsOf("Answer of FCM")).toHaveLength(14)
  })
})
