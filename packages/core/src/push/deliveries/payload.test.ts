import { describe, expect, it } from "vitest"
import type { PushMessage } from "./gateway.ts"
import { buildApnsPayload, buildFcmMessage, buildPayload, isPayloadTooLarge, readTtl } from "./payload.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const aMessage = (changes: Partial<PushMessage> = {}): PushMessage => ({
  delivery_id: "0195a5c8-0000-7000-8000-000000000001",
  token: "a-token",
  title: "Hello",
  body: "There is news.",
  data: {},
  options: {},
  ...changes,
})
const allOptions = {
  sound: "ping.caf",
  badge: 3,
  image_url: "https://x.example/i.png",
  collapse_id: "news",
  ttl_seconds: 60,
}
const data = { text: "5", count: 5, yes: true, none: null, list: [1, "a"], deep: { a: { b: "ü" } } }

describe("a payload of APNs", () => {
  it("has the campaign's data in a key beside aps [H4.4]", () => {
    expect(buildApnsPayload(aMessage({ data }))).toEqual({
      aps: { alert: { title: "Hello", body: "There is news." } },
      data,
      delivery_id: "0195a5c8-0000-7000-8000-000000000001",
    })
  })

  it("shows all options [H4.3]", () => {
    expect(buildApnsPayload(aMessage({ options: allOptions }))).toMatchObject({
      aps: { sound: "ping.caf", badge: 3, "mutable-content": 1 },
      image_url: "https://x.example/i.png",
    })
  })

  it("lets no data replace what is beside it", () => {
    const tricky = JSON.parse('{"aps":{"alert":"x"},"delivery_id":"other","__proto__":{"a":1}}')
    const written = JSON.parse(JSON.stringify(buildApnsPayload(aMessage({ data: tricky }))))
    expect(written.aps.alert.title).toBe("Hello")
    expect(written.delivery_id).toBe("0195a5c8-0000-7000-8000-000000000001")
    expect(JSON.stringify(written.data)).toBe(JSON.stringify(tricky))
  })
})

describe("a message of FCM", () => {
  const texts = { text: "5", count: "5", yes: "true", none: "null", list: '[1,"a"]', deep: '{"a":{"b":"ü"}}' }

  it("has every value of the data as text, and the delivery where devices find it [H4.4]", () => {
    const message = buildFcmMessage(aMessage({ data }), now)
    expect(message.data).toEqual(texts)
    const handed = { ...texts, delivery_id: "0195a5c8-0000-7000-8000-000000000001" }
    expect([message.android.data, message.webpush.data]).toEqual([handed, handed])
    expect(message.apns.payload).toEqual({ aps: {}, delivery_id: handed.delivery_id })
  })

  it("is kept for three days where nothing is said", () => {
    expect(buildFcmMessage(aMessage(), now)).toEqual({
      token: "a-token",
      notification: { title: "Hello", body: "There is news." },
      data: {},
      android: { priority: "HIGH", ttl: "259200s", data: { delivery_id: aMessage().delivery_id } },
      apns: {
        headers: { "apns-priority": "10", "apns-expiration": "1772625600" },
        payload: { aps: {}, delivery_id: aMessage().delivery_id },
      },
      webpush: { headers: { TTL: "259200", Urgency: "high" }, data: { delivery_id: aMessage().delivery_id } },
    })
  })

  it("shows all options on every platform [H4.3]", () => {
    const { notification, android, apns, webpush } = buildFcmMessage(aMessage({ options: allOptions }), now)
    expect(notification.image).toBe("https://x.example/i.png")
    expect(android).toMatchObject({
      ttl: "60s",
      collapse_key: "news",
      notification: { sound: "ping.caf", notification_count: 3, tag: "news" },
    })
    expect(apns).toMatchObject({
      headers: { "apns-collapse-id": "news", "apns-expiration": "1772366460" },
      payload: { aps: { sound: "ping.caf", badge: 3, "mutable-content": 1 } },
    })
    expect(webpush).toMatchObject({ headers: { TTL: "60" }, notification: { tag: "news" } })
  })

  it("is not kept at all with a time of nothing", () => {
    const { android, apns } = buildFcmMessage(aMessage({ options: { ttl_seconds: 0 } }), now)
    expect([android.ttl, apns.headers["apns-expiration"]]).toEqual(["0s", "0"])
  })
})

describe("the time that a push is kept", () => {
  it.each([
    [undefined, 259_200],
    [0, 0],
    [60, 60],
    [2_419_200, 2_419_200],
    [2_419_201, 2_419_200],
    [Number.MAX_SAFE_INTEGER, 2_419_200],
  ])("of %s is %s seconds", (ttl_seconds, seconds) => {
    expect(readTtl(ttl_seconds === undefined ? {} : { ttl_seconds })).toBe(seconds)
  })
})

describe("the size of a payload [H4.3]", () => {
  const sizes: ReadonlyArray<readonly [string, string]> = [
    ["one byte each", "a"],
    ["two bytes each", "ü"],
    ["three bytes each", "語"],
    ["four bytes each", "🦊"],
  ]

  it.each(sizes)("is counted in UTF-8, of %s", (_, letter) => {
    const bytes = Buffer.byteLength(letter)
    const fits = `${letter.repeat(Math.floor(4096 / bytes))}${"a".repeat(4096 % bytes)}`
    expect(Buffer.byteLength(fits)).toBe(4096)
    expect([isPayloadTooLarge(fits), isPayloadTooLarge(`${fits}a`)]).toEqual([false, true])
  })

  it.each(["push_a", "push_b"] as const)("may be 4,096 bytes and no more: %s", (provider) => {
    const withData = (length: number) => buildPayload(provider, aMessage({ data: { fill: "x".repeat(length) } }), now)
    // What is counted besides the filling.
    let most = 4096
    while (withData(most) === null) most -= 1
    const counted = withData(most)
    const written =
      counted !== null && "android" in counted
        ? JSON.stringify({ notification: counted.notification, data: counted.android.data })
        : JSON.stringify(counted)
    expect(Buffer.byteLength(written)).toBe(4096)
    expect(withData(most + 1)).toBeNull()
  })

  it("does not count the data of FCM once per platform", () => {
    expect(buildPayload("push_b", aMessage({ data: { fill: "x".repeat(3_800) } }), now)).not.toBeNull()
  })
})
