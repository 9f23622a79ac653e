import { readFileSync } from "node:fs"
import { expect } from "vitest"
import { describePage } from "../harness/describe-page.ts"

describePage("live.md", "", ({ folder }) => {
  const read = (name: string) => readFileSync(`${folder}/${name}.txt`, "utf8")
  const eventsIn = (name: string) => [...read(name).matchAll(/^event: (\w+)$/gm)].map(([, event]) => event)
  expect(eventsIn("stream")).toEqual(["open", "xp"])
  expect(eventsIn("resumed")).toEqual(["open", "xp"])
  expect(read("resumed")).toContain('"total":20')
  expect(eventsIn("reset")).toEqual(["reset"])
  expect(eventsIn("live").slice(0, 2)).toEqual(["open", "batch"])
  expect(read("live")).toContain('"total":30')
})
