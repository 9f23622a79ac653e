import { Result, Schema } from "effect"
import { describe, expect, it, test } from "vitest"
import { EventCursor } from "./cursor.ts"

const decode = Schema.decodeUnknownResult(EventCursor)
const encode = Schema.encodeUnknownSync(EventCursor)
const base64url = (text: string) => Buffer.from(text).toString("base64url")
const id = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
const ts = "2026-01-02T03:04:05.060Z"

describe("a cursor", () => {
  it("is base64url of { ts, id }, and decodes to the same position", () => {
    const position = { occurred_at: new Date(ts), id }
    const cursor = encode(position)
    expect(cursor).toBe(base64url(JSON.stringify({ ts, id })))
    expect(decode(cursor)).toEqual(Result.succeed(position))
    expect(decode(base64url(JSON.stringify({ id: id.toUpperCase(), ts })))).toEqual(Result.succeed(position))
  })

  const good = base64url(JSON.stringify({ ts, id }))
  const bad: ReadonlyArray<readonly [string, string]> = [
    ["nothing", ""],
    ["no base64", "?"],
    ["padding", `${base64url(JSON.stringify({ ts, id, a: 1 }).slice(0, -7).concat("}"))}=`],
    ["a cut one", good.slice(0, -1)],
    ["one that is too long", `${good}A`],
    ["spaces", ` ${good}`],
    ["no JSON", base64url("{")],
    ["null", base64url("null")],
    ["a list", base64url(JSON.stringify([ts, id]))],
    ["text", base64url('"ab"')],
    ["no id", base64url(JSON.stringify({ ts }))],
    ["more than that", base64url(JSON.stringify({ ts, id, more: 1 }))],
    ["an id that is none", base64url(JSON.stringify({ ts, id: `${id}0` }))],
    ["an id of another type", base64url(JSON.stringify({ ts, id: 1 }))],
    ["seconds only", base64url(JSON.stringify({ ts: "2026-01-02T03:04:05Z", id }))],
    ["microseconds", base64url(JSON.stringify({ ts: "2026-01-02T03:04:05.000000Z", id }))],
    ["another zone", base64url(JSON.stringify({ ts: "2026-01-02T03:04:05.000+00:00", id }))],
    ["a day that is none", base64url(JSON.stringify({ ts: "2026-02-30T03:04:05.000Z", id }))],
    ["a year out of range", base64url(JSON.stringify({ ts: "+010000-01-01T00:00:00.000Z", id }))],
    ["a number for an instant", base64url(JSON.stringify({ ts: 1, id }))],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")],
    ["a byte-order mark", base64url(`\uFEFF${JSON.stringify({ ts, id })}`)],
  ]
  test.each(bad)("is not %s", (_, cursor) => expect(Result.isFailure(decode(cursor))).toBe(true))

  it("has exactly one encoding", () => {
    // The last character has unused bits. Every other value of them is refused.
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    const accepted = [...digits].filter((digit) => Result.isSuccess(decode(good.slice(0, -1) + digit)))
    expect(accepted).toEqual([good.at(-1)])
  })
})
