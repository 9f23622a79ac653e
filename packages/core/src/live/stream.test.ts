import { expect, it } from "vitest"
import { makeEvent, makeMailbox } from "./stream.ts"

const open = () => {
  let [closed, cut] = [0, 0]
  const mailbox = makeMailbox(() => {
    closed += 1
  })
  mailbox.onCut(() => {
    cut += 1
  })
  return { mailbox, closed: () => closed, cut: () => cut }
}
const event = (size = 1) => makeEvent("one", { text: "x".repeat(size) })
const end = (reason: string) => makeEvent("end", { reason })

it("hands on what waits, and waits for what is to come", async () => {
  const { mailbox } = open()
  mailbox.add([event(1), event(2)])
  expect(await mailbox.next()).toEqual([event(1), event(2)])
  const next = mailbox.next()
  mailbox.add([])
  mailbox.add([event(3)])
  expect(await next).toEqual([event(3)])
})

it("gives up what a slow reader has not taken, and cuts the connection", async () => {
  const { mailbox, closed, cut } = open()
  mailbox.add([event(600_000)])
  expect(closed()).toBe(0)
  mailbox.add([event()])
  expect([closed(), cut()]).toEqual([1, 1])
  mailbox.add([event()])
  expect(await mailbox.next()).toEqual([end("too_slow")])
  expect(await mailbox.next()).toBeNull()
})

it("sends nothing more to whom the right was taken away, and the rest to others", async () => {
  const [revoked, expired] = [open(), open()]
  for (const { mailbox } of [revoked, expired]) mailbox.add([event()])
  revoked.mailbox.end("revoked")
  expired.mailbox.end("token_expired")
  expired.mailbox.end("stopping")
  expect(await revoked.mailbox.next()).toEqual([end("revoked")])
  expect(await expired.mailbox.next()).toEqual([event(), end("token_expired")])
  expect(await expired.mailbox.next()).toBeNull()
  expect([revoked.closed(), expired.closed(), expired.cut()]).toEqual([1, 1, 0])
})

it("ends without a word when its reader has gone", async () => {
  const { mailbox, closed } = open()
  const next = mailbox.next()
  mailbox.close()
  mailbox.close()
  expect(await next).toBeNull()
  expect([closed(), mailbox.isOpen()]).toEqual([1, false])
})
