import { expect, it } from "vitest"
import { type HeldBytes, makeEvent, makeMailbox } from "./stream.ts"

const open = (ofAll?: HeldBytes) => {
  let [closed, cut] = [0, 0]
  const mailbox = makeMailbox(() => {
    closed += 1
  }, ofAll)
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
  expect([revoked.closed(), expired.closed()]).toEqual([1, 1])
})

it.each(["token_expired", "revoked", "stopping"] as const)(
  "keeps no connection that does not take the end: %s",
  (reason) => {
    const { mailbox, cut } = open()
    mailbox.add([event()])
    mailbox.end(reason)
    expect(cut()).toBe(1)
  },
)

it("shares its room with those of other slow readers, and not with who is ready", async () => {
  const ofAll = { most: 400_000, held: 0 }
  const [slow, slower, ready] = [open(ofAll), open(ofAll), open(ofAll)]
  const taken = ready.mailbox.next()
  slow.mailbox.add([event(300_000)])
  slower.mailbox.add([event(200_000)])
  expect([slow.cut(), slower.cut()]).toEqual([0, 1])
  ready.mailbox.add([event(200_000)])
  expect(await taken).toEqual([event(200_000)])
  expect(ofAll.held).toBeGreaterThan(500_000)
  void ready.mailbox.next()
  slow.mailbox.close()
  slower.mailbox.close()
  expect(ofAll.held).toBe(0)
})

it("ends without a word when its reader has gone", async () => {
  const { mailbox, closed } = open()
  const next = mailbox.next()
  mailbox.close()
  mailbox.close()
  expect(await next).toBeNull()
  expect([closed(), mailbox.isOpen()]).toEqual([1, false])
})
