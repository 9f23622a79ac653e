import { Result, Schema } from "effect"
import { expect, it, test } from "vitest"
import { makeCursor } from "./cursor.ts"

const Cursor = makeCursor("created_at", { hasSum: true })
const decode = Schema.decodeUnknownResult(Cursor)
const id = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
const position = { created_at: new Date("2026-01-02T03:04:05.060Z"), id }
const cursor = Schema.encodeUnknownSync(Cursor)(position)
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const decoded = () => JSON.parse(Buffer.from(cursor, "base64url").toString())

it("with a sum decodes to the same position", () => {
  expect(decode(cursor)).toEqual(Result.succeed(position))
  expect(decoded()).toEqual({ ts: "2026-01-02T03:04:05.060Z", id, sum: expect.any(String) })
})

it("with a sum is refused where any one of its characters is another", () => {
  const accepted = [...cursor].flatMap((character, at) =>
    [...digits].filter(
      (digit) => digit !== character && Result.isSuccess(decode(cursor.slice(0, at) + digit + cursor.slice(at + 1))),
    ),
  )
  expect(accepted).toEqual([])
})

test.each([
  ["another instant", { ts: "2026-01-02T03:04:05.061Z" }],
  ["another id", { id: "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001" }],
  ["an id in upper case", { id: id.toUpperCase() }],
  ["another sum", { sum: "0" }],
  ["a sum that is a number", { sum: 1 }],
  ["more keys", { more: 1 }],
])("with a sum is refused with %s", (_, changed) => {
  expect(Result.isFailure(decode(base64url({ ...decoded(), ...changed })))).toBe(true)
})

it("with a sum is refused without it", () => {
  const { sum: _, ...plain } = decoded()
  expect(Result.isFailure(decode(base64url(plain)))).toBe(true)
})
