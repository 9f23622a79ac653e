import { anEvent } from "@hearth/testing"
import { expect, it } from "vitest"
import { countFitting, maxRows } from "./cut-batch.ts"

const events = (...names: ReadonlyArray<string>) =>
  names.map((event_name) => anEvent({ app_user_id: "ada", event_name }))

const weigh = ({ event_name }: { readonly event_name: string }) => (event_name === "heavy" ? maxRows / 2 : 1)

it("a batch whose rows fit is not cut", () => {
  expect(countFitting([], weigh)).toBe(0)
  expect(countFitting(events("heavy", "heavy"), weigh)).toBe(2)
  expect(countFitting(events(...Array(2_000).fill("light")), weigh)).toBe(2_000)
})

it("a batch is cut before the event with which it has too many rows", () => {
  expect(countFitting(events("heavy", "light", "heavy", "light"), weigh)).toBe(2)
})

it("an event that has too many alone is handled all the same", () => {
  expect(countFitting(events("heavy", "light"), () => maxRows + 1)).toBe(1)
})
