import { startMailServer, urlOf } from "@hearth/test-services/mail-server"
import { manualClock } from "@hearth/testing"
import { Effect } from "effect"
import { Container } from "inversify"
import { describe, expect, it } from "vitest"
import { Services, systemModule } from "../../src/composition/index.ts"
import { mailModule } from "../../src/composition/modules.ts"
import { outboxMailer } from "../../src/mail/index.ts"

const mail = (text: string) => ({ to: "ada@example.com", subject: "Sign in", text, html: `<p>${text}</p>` })
const from = { name: "", address: "no-reply@hearth.test" }

const modules = async (smtpUrl: string | null) => {
  const container = new Container({ defaultScope: "Singleton" })
  container.load(
    systemModule(() => {}, { emit: () => {} }),
    mailModule({ smtpUrl, from }),
  )
  return { mail: await container.getAsync(Services.Mail), mailer: await container.getAsync(Services.Mailer) }
}

describe("the development outbox", () => {
  it("lists mails as they were sent, the newest first", async () => {
    const clock = manualClock("2026-03-01T12:00:00.000Z")
    const outbox = outboxMailer({ clock })
    expect(outbox.list()).toEqual([])
    await Effect.runPromise(outbox.send(mail("one")))
    clock.advance("1 minute")
    await Effect.runPromise(outbox.send({ ...mail("two"), more: "than a mail has" } as never))
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(outbox.list()).toEqual([
      { id, ...mail("two"), sent_at: new Date("2026-03-01T12:01:00.000Z") },
      { id, ...mail("one"), sent_at: new Date("2026-03-01T12:00:00.000Z") },
    ])
    expect(outbox.list()[0]?.id).not.toBe(outbox.list()[1]?.id)
  })

  it("keeps no more mails than its capacity", async () => {
    const small = outboxMailer({ clock: manualClock(), capacity: 2 })
    for (const text of ["one", "two", "three"]) await Effect.runPromise(small.send(mail(text)))
    expect(small.list().map(({ text }) => text)).toEqual(["three", "two"])
    const usual = outboxMailer({ clock: manualClock() })
    for (let count = 0; count < 201; count += 1) await Effect.runPromise(usual.send(mail(`${count}`)))
    expect(usual.list()).toHaveLength(200)
    expect(usual.list().at(-1)?.text).toBe("1")
  })

  it("is used without a mail server", async () => {
    const bound = await modules(null)
    await Effect.runPromise(bound.mailer.send(mail("kept")))
    expect(bound.mail.outbox?.().map(({ text }) => text)).toEqual(["kept"])
    await bound.mail.close()
  })

  it("is not used with one", async () => {
    const server = await startMailServer()
    const bound = await modules(urlOf(server, "smtp"))
    expect(bound.mail.outbox).toBe(null)
    await Effect.runPromise(bound.mailer.send(mail("sent")))
    expect(server.arrived.map(({ text, sender }) => [text, sender])).toEqual([["sent", from.address]])
    await bound.mail.close()
    await server.stop()
  })
})
