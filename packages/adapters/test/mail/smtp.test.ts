import tls from "node:tls"
import type { Mail } from "@hearth/core"
import {
  certificate,
  type MailServerOptions,
  startMailServer,
  startTricklingServer,
  urlOf,
  urlWithLogin,
} from "@hearth/test-services/mail-server"
import { Effect, Result } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type SmtpMailerSettings, smtpMailer } from "../../src/mail/smtp.ts"

const from = { name: "Hearth", address: "no-reply@hearth.test" }
const mail: Mail = { to: "ada@example.com", subject: "Sign in", text: "Open it", html: "<p>Open it</p>" }

const ends: Array<() => Promise<void>> = []
afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
})

const mailServer = async (options?: MailServerOptions) => {
  const server = await startMailServer(options)
  ends.push(server.stop)
  return server
}

const mailerTo = (url: string, settings: Partial<SmtpMailerSettings> = {}) => {
  const logged: Array<unknown> = []
  const log = (message: string, facts: object) => void logged.push({ message, ...facts })
  const mailer = smtpMailer({ url, from, log, ...settings })
  ends.push(mailer.close)
  /** The reason of a failure, null for none. */
  const send = async (changes: Partial<Mail> = {}) => {
    const outcome = await Effect.runPromise(Effect.result(mailer.send({ ...mail, ...changes })))
    return Result.isSuccess(outcome) ? null : outcome.failure.reason
  }
  return { mailer, send, logged }
}

/** Waits until the server notices that connections have ended. */
const eventually = async (holds: () => boolean) => {
  const until = performance.now() + 45_000
  while (!holds() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5))
  return holds()
}

describe("a mail over SMTP", () => {
  it("has the fields that it needs and no others", async () => {
    const server = await mailServer()
    await mailerTo(urlOf(server, "smtp")).send()
    const [arrived] = server.arrived
    expect(arrived?.sender).toBe(from.address)
    expect(new Map(arrived?.fields)).toEqual(
      new Map([
        ["from", "Hearth <no-reply@hearth.test>"],
        ["to", "ada@example.com"],
        ["subject", "Sign in"],
        ["auto-submitted", "auto-generated"],
        ["message-id", expect.stringMatching(/^<[0-9a-f-]+@hearth\.test>$/)],
        ["date", expect.stringMatching(/ \+0000$/)],
        ["mime-version", "1.0"],
        ["content-type", expect.stringMatching(/^multipart\/alternative; boundary="/)],
      ]),
    )
    expect([...(arrived?.parts.keys() ?? [])]).toEqual(["text/plain", "text/html"])
  })

  it("has no line that is longer than servers accept", async () => {
    const server = await mailServer()
    await mailerTo(urlOf(server, "smtp")).send({
      subject: "x".repeat(3_000),
      text: "ü".repeat(3_000),
      html: "y".repeat(3_000),
    })
    const lengths = server.arrived[0]?.raw.split("\r\n").map((line) => line.length) ?? []
    expect(Math.max(...lengths)).toBeLessThanOrEqual(998)
    expect(server.arrived[0]?.raw).not.toMatch(/[^\r]\n|\r[^\n]/)
  })

  it("has a long address in one piece, for readers that decode nothing", async () => {
    const server = await mailServer()
    const link = `https://app.example.com/auth/verify?token=${"x-_9".repeat(20)}`
    const text = `Open this:\n\n${link}\n.\nGood bye\n`
    await mailerTo(urlOf(server, "smtp")).send({ text })
    const [arrived] = server.arrived
    expect(arrived?.raw.split("\r\n")).toContain(link)
    expect(arrived?.text.replaceAll("\r\n", "\n").trimEnd()).toBe(text.trimEnd())
    expect([...(arrived?.parts.keys() ?? [])]).toEqual(["text/plain", "text/html"])
  })

  it.each([`Für ${"x".repeat(90)}`, "y".repeat(2_000)])("is read as it was written: %s", async (text) => {
    const server = await mailServer()
    await mailerTo(urlOf(server, "smtp")).send({ text: `Hello\n${text}` })
    const [arrived] = server.arrived
    expect(arrived?.text.trimEnd().replaceAll("\r\n", "\n")).toBe(`Hello\n${text}`)
  })

  it("has its sender, with any characters in the name", async () => {
    const server = await mailServer()
    await mailerTo(urlOf(server, "smtp"), { from: { name: 'Ada, "Eve" & Çe', address: "a@b.test" } }).send()
    await mailerTo(urlOf(server, "smtp"), { from: { name: "", address: "a@b.test" } }).send()
    const senders = server.arrived.map(({ fields }) => new Map(fields).get("from"))
    expect(senders).toEqual(['Ada, "Eve" & Çe <a@b.test>', "a@b.test"])
  })

  it.each(["ada@b.example＠c.example", "ada@b.example＞", "ada＠b.example@c.example", "ada，eve@c.example"])(
    "goes to one recipient where the address only looks like two: %s",
    async (to) => {
      const server = await mailServer()
      await mailerTo(urlOf(server, "smtp")).send({ to })
      expect(server.arrived.map(({ recipients }) => recipients)).toEqual([[to]])
      expect(server.arrived[0]?.raw.match(/^To: .*$/m)?.[0]).not.toMatch(/[,;]|@.*@/)
    },
  )

  it("goes to an internationalised domain", async () => {
    const server = await mailServer()
    await mailerTo(urlOf(server, "smtp")).send({ to: "ada@bücher.example" })
    expect(new Map(server.arrived[0]?.fields).get("to")).toBe("ada@xn--bcher-kva.example")
  })
})

describe("connections to a mail server", () => {
  it("are kept for the next mail", async () => {
    let connections = 0
    const server = await mailServer({
      onConnect: (_session, next) => {
        connections += 1
        next()
      },
    })
    const { send } = mailerTo(urlOf(server, "smtp"))
    for (let count = 0; count < 3; count += 1) expect(await send()).toBe(null)
    expect([server.arrived.length, connections]).toEqual([3, 1])
  })

  it("are replaced without a failure when the server has hung up in between", async () => {
    const server = await mailServer()
    const { send } = mailerTo(urlOf(server, "smtp"))
    await send()
    await server.stop()
    await server.start()
    expect(await send()).toBe(null)
    expect(server.arrived).toHaveLength(2)
  })

  it("are closed at the end, after the mails that are under way", async () => {
    const thinking = Promise.withResolvers<null>()
    const reached = Promise.withResolvers<void>()
    const server = await mailServer({
      verdict: () => {
        reached.resolve()
        return thinking.promise
      },
    })
    const { mailer, send, logged } = mailerTo(urlOf(server, "smtp"))
    const sending = send()
    await reached.promise
    const ended: Array<string> = []
    const closing = mailer.close().then(() => ended.push("closed"))
    expect(await send()).toBe("the mailer is closed")
    ended.push("answered")
    thinking.resolve(null)
    expect(await sending).toBe(null)
    await closing
    expect(ended).toEqual(["answered", "closed"])
    expect(await eventually(() => server.clients() === 0)).toBe(true)
    expect(logged).toEqual([{ message: "A mail was not sent.", reason: "the mailer is closed" }])
  })

  it("can be closed when no mail was ever sent", async () => {
    const { mailer } = mailerTo("smtp://127.0.0.1:1")
    await mailer.close()
    await mailer.close()
  })
})

describe("a slow mail server", () => {
  it.each([
    ["says nothing", ""],
    ["trickles its greeting", "220-one line and no end\r\n"],
    ["trickles an answer", "220 hello\r\n250-one line and no end\r\n"],
  ])("that %s runs into the timeout", async (_, script) => {
    const server = await startTricklingServer(script)
    ends.push(server.stop)
    const { send } = mailerTo(`smtp://127.0.0.1:${server.port}`, { patienceMillis: 300 })
    const started = performance.now()
    expect(await send()).toMatch(/^not sent within 300 ms$|ETIMEDOUT/)
    expect(performance.now() - started).toBeLessThan(8_000)
    expect(await eventually(() => server.clients() === 0)).toBe(true)
  })

  it("fails all waiting mails, and keeps neither them nor their connections", async () => {
    let stuck = true
    const server = await mailServer({ verdict: () => (stuck ? new Promise(() => {}) : null) })
    const { send, logged } = mailerTo(urlOf(server, "smtp"), { patienceMillis: 1_000 })
    const reasons = await Promise.all(Array.from({ length: 12 }, () => send()))
    expect(new Set(reasons)).toEqual(new Set(["not sent within 1000 ms"]))
    expect(logged).toHaveLength(12)
    expect(await eventually(() => server.clients() === 0)).toBe(true)
    stuck = false
    expect(await send({ text: "the next" })).toBe(null)
    expect(server.arrived.map(({ text }) => text)).toEqual(["the next"])
  })
})

describe("mails that wait for their turn", () => {
  it("have their own time: what is sent before them is none of it", async () => {
    const server = await mailServer({ verdict: () => new Promise((resolve) => setTimeout(resolve, 400, null)) })
    const { send } = mailerTo(urlOf(server, "smtp"), { patienceMillis: 1_500 })
    // Of which five are sent at once: the last ones wait longer than one may take.
    const reasons = await Promise.all(Array.from({ length: 25 }, () => send()))
    expect(reasons.filter((reason) => reason !== null)).toEqual([])
    expect(server.arrived).toHaveLength(25)
  })

  it("are sent before the mailer closes", async () => {
    const server = await mailServer({ verdict: () => new Promise((resolve) => setTimeout(resolve, 50, null)) })
    const mailer = smtpMailer({ url: urlOf(server, "smtp"), from: { name: "", address: "no-reply@hearth.test" } })
    const mail = { to: "ada@example.com", subject: "Sign in", text: "one", html: "" }
    const sent = Array.from({ length: 12 }, () => Effect.runPromise(mailer.send(mail)))
    await mailer.close()
    await Promise.all(sent)
    expect(server.arrived).toHaveLength(12)
    await expect(Effect.runPromise(mailer.send(mail))).rejects.toThrow()
  })

  it("leave the line in the end, so that it does not grow without bound", async () => {
    const server = await mailServer({ verdict: () => new Promise(() => {}) })
    const { send } = mailerTo(urlOf(server, "smtp"), { patienceMillis: 200 })
    const reasons = await Promise.all(Array.from({ length: 40 }, () => send()))
    expect(new Set(reasons)).toEqual(new Set(["not sent within 200 ms", "too many mails wait for the server"]))
  })
})

describe("TLS to a mail server", () => {
  const overTls = () => mailServer({ secure: true, disabledCommands: [] })
  const withStartTls = () => mailServer({ disabledCommands: [] })

  it("fails with a certificate of an unknown authority", async () => {
    for (const [scheme, server] of [
      ["smtps", await overTls()],
      ["smtp", await withStartTls()],
    ] as const) {
      expect(await mailerTo(urlOf(server, scheme)).send()).toMatch(/ESOCKET|ETLS|DEPTH_ZERO_SELF_SIGNED_CERT/)
      expect(server.arrived).toEqual([])
    }
  })

  it("does not fall back to plain text", async () => {
    expect(await mailerTo(urlOf(await mailServer(), "smtps"), { patienceMillis: 2_000 }).send()).not.toBe(null)
  })

  describe("with a certificate of a known authority", () => {
    const authorities = tls.getCACertificates("default")
    beforeAll(() => tls.setDefaultCACertificates([...authorities, certificate.cert]))
    afterAll(() => tls.setDefaultCACertificates(authorities))

    it("is used from the first byte with smtps", async () => {
      const server = await overTls()
      expect(await mailerTo(urlOf(server, "smtps")).send()).toBe(null)
      expect(server.arrived.map(({ secure }) => secure)).toEqual([true])
    })

    it("is used with smtp where it is offered, and only there", async () => {
      for (const server of [await withStartTls(), await mailServer()]) {
        expect(await mailerTo(urlOf(server, "smtp")).send()).toBe(null)
      }
      const server = await withStartTls()
      await mailerTo(urlOf(server, "smtp")).send()
      expect(server.arrived.map(({ secure }) => secure)).toEqual([true])
    })

    it("sends the login, with any characters", async () => {
      const server = await mailServer({ disabledCommands: [], authOptional: false })
      expect(await mailerTo(urlWithLogin(server, "smtp")).send()).toBe(null)
      expect(server.arrived.map(({ user }) => user)).toEqual(["postmaster@hearth.test"])
      const { send, logged } = mailerTo(urlWithLogin(server, "smtp", "wrong"))
      expect(await send()).toMatch(/^AUTH \w+ EAUTH 535$/)
      expect(await mailerTo(urlOf(server, "smtp")).send()).toMatch(/530$/)
      expect(JSON.stringify(logged)).not.toMatch(/postmaster|wrong|ada|@/)
    })
  })
})
