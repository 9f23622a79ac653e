import { type MailServerOptions, startMailServer, urlOf, urlWithLogin } from "@hearth/test-services/mail-server"
import { failingMailerContract, mailerContract } from "@hearth/testing/contracts"
import { outboxMailer } from "../../src/mail/index.ts"
import { smtpMailer } from "../../src/mail/smtp.ts"
import { systemClock } from "../../src/system/index.ts"

const from = { name: "Hearth", address: "no-reply@hearth.test" }

const overSmtp = async (options?: MailServerOptions, url: typeof urlOf = urlOf) => {
  const server = await startMailServer(options)
  const mailer = smtpMailer({ url: url(server, "smtp"), from })
  return {
    server,
    mailer,
    arrived: () => server.arrived.map(({ recipients, subject, text, html }) => ({ recipients, subject, text, html })),
    close: async () => {
      await mailer.close()
      await server.stop()
    },
  }
}

mailerContract("SMTP", () => overSmtp())

mailerContract("development outbox", () => {
  const mailer = outboxMailer({ clock: systemClock })
  const arrived = () =>
    mailer
      .list()
      .toReversed()
      .map(({ to, subject, text, html }) => ({ recipients: [to], subject, text, html }))
  return { mailer, arrived, close: async () => {} }
})

/** A refusal that repeats the recipient, as most servers' refusals do. */
const refusal = (responseCode: number) =>
  Object.assign(new Error("<ada@example.com> from <eve@example.com> is not wanted here"), { responseCode })

/** Steps at which a server may refuse, on a connection that is open already. */
const STEPS: Readonly<Record<string, (refuses: () => boolean) => MailServerOptions>> = {
  "refused sender": (refuses) => ({ onMailFrom: (_from, _session, next) => next(refuses() ? refusal(553) : null) }),
  "refused recipient": (refuses) => ({ onRcptTo: (_to, _session, next) => next(refuses() ? refusal(550) : null) }),
  "refused content": (refuses) => ({ verdict: () => (refuses() ? refusal(552) : null) }),
  "recipient put off": (refuses) => ({ onRcptTo: (_to, _session, next) => next(refuses() ? refusal(451) : null) }),
}

for (const [name, step] of Object.entries(STEPS)) {
  failingMailerContract(`SMTP, ${name}`, async () => {
    let refuses = false
    const turn = async (on: boolean) => {
      refuses = on
    }
    return {
      ...(await overSmtp(step(() => refuses))),
      startFailing: () => turn(true),
      stopFailing: () => turn(false),
    }
  })
}

/** Steps that a client takes once per connection. */
const ENTRIES: Readonly<Record<string, (refuses: () => boolean) => MailServerOptions>> = {
  "no admittance": (refuses) => ({ onConnect: (_session, next) => next(refuses() ? refusal(554) : null) }),
  "refused login": (refuses) => ({
    onAuth: (_auth, _session, next) => (refuses() ? next(refusal(535)) : next(null, { user: "somebody" })),
  }),
}

for (const [name, entry] of Object.entries(ENTRIES)) {
  failingMailerContract(`SMTP, ${name}`, async () => {
    let refuses = false
    const harness = await overSmtp({ allowInsecureAuth: true, ...entry(() => refuses) }, urlWithLogin)
    const turn = async (on: boolean) => {
      refuses = on
      await harness.server.stop()
      await harness.server.start()
    }
    return { ...harness, startFailing: () => turn(true), stopFailing: () => turn(false) }
  })
}

failingMailerContract("SMTP, server gone", async () => {
  const harness = await overSmtp()
  return { ...harness, startFailing: harness.server.stop, stopFailing: harness.server.start }
})
