import { type Mail, type Mailer, MailNotSent } from "@hearth/core"
import { Effect, Result } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

/** A delivered mail as its reader sees it: decoded, and with LF between lines. */
export interface ArrivedMail {
  readonly recipients: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A mailer, and the mails that it delivered. */
export interface MailerHarness {
  readonly mailer: Mailer
  /** The mails that were accepted, the oldest first. */
  readonly arrived: () => ReadonlyArray<ArrivedMail>
  readonly close: () => Promise<void>
}

/** A mailer that a test can make fail. */
export interface FailingMailerHarness extends MailerHarness {
  readonly startFailing: () => Promise<void>
  readonly stopFailing: () => Promise<void>
}

const aMail = (changes: Partial<Mail> = {}): Mail => ({
  to: "ada@example.com",
  subject: "Sign in",
  text: "Open https://app.example",
  html: '<p>Open <a href="https://app.example">it</a></p>',
  ...changes,
})

const arrivedFrom = ({ to, ...parts }: Mail): ArrivedMail => ({ recipients: [to], ...parts })

const outcomeOf = ({ mailer }: MailerHarness, mail: Mail) => Effect.runPromise(Effect.result(mailer.send(mail)))

const expectRefused = async (harness: MailerHarness, mail: Mail) => {
  const outcome = await outcomeOf(harness, mail)
  if (Result.isSuccess(outcome)) throw new Error("The mail was accepted.")
  expect(outcome.failure).toBeInstanceOf(MailNotSent)
  expect(outcome.failure.reason).not.toBe("")
  expect(outcome.failure.reason).not.toMatch(/@|ada|eve|example/)
}

/** Makes a mailer per test, and closes it. */
const harnessOf = <H extends MailerHarness>(make: () => H | Promise<H>): (() => H) => {
  let harness: H | undefined
  beforeEach(async () => {
    harness = await make()
  })
  afterEach(() => harness?.close())
  return () => {
    if (harness === undefined) throw new Error("There is no mailer outside of a test.")
    return harness
  }
}

const SUBJECTS: ReadonlyArray<readonly [string, string]> = [
  ["that is empty", ""],
  ["of plain words", "Sign in to Lingua"],
  ["in other scripts", "Grüße an 🦊 und שלום — «ключ»"],
  ["that looks encoded", "=?utf-8?Q?not_encoded?= = ? _ %20 &amp;"],
  ["of many words", `long ${"words ".repeat(60)}end`],
  ["without a space", "x".repeat(1_200)],
  ["that is long in bytes", "ü".repeat(400)],
]

const BODIES: ReadonlyArray<readonly [string, string]> = [
  ["lines that begin with dots", "a\n.\n..\n...b\n.\nRCPT TO:<eve@example.com>\nDATA\nQUIT"],
  ["what looks like headers", "Bcc: eve@example.com\nSubject: other\n\nFrom here\n--\n-----"],
  ["one very long line", `${"x".repeat(3_000)} ${"ü".repeat(3_000)}`],
  ["spaces at the ends of lines", "a  \n\t\n b \n =20 =3D = \n"],
  ["letters of all kinds", "Grüße 🦊 שלום\u202Eright \u0007 Ω"],
  ["nothing", ""],
]

const NOT_ONE_ADDRESS: ReadonlyArray<string> = [
  "",
  "ada",
  "@example.com",
  "ada@",
  "ada@example.com, eve@example.com",
  "ada@example.com,eve@example.com",
  "ada@example.com;eve@example.com",
  "ada@example.com eve@example.com",
  "ada@eve@example.com",
  '"Ada" <ada@example.com>',
  "Ada <ada@example.com>",
  "<ada@example.com>",
  "friends: ada@example.com;",
  "(eve@example.com) ada@example.com",
  '"ada eve"@example.com',
  "ada\\@example.com",
  "=?utf-8?q?eve=40example.com=3E?=@example.com",
  " ada@example.com",
  "ada@example.com\n",
  "ada@example.com\r\nBcc: eve@example.com",
  "ada@example.com>\r\nRCPT TO:<eve@example.com",
  "ada\0@example.com",
  "ada\u0085@example.com",
  "ada@example.com\u2028eve",
  "ada\uD83E@example.com",
]

const NOT_ONE_LINE: ReadonlyArray<string> = [
  "Hello\r\nBcc: eve@example.com",
  "Hello\nBcc: eve@example.com",
  "Hello\rBcc: eve@example.com",
  "Hello\r\n\r\nanother body",
  "Hello\0",
  "Hello\u0085there",
  "Hello\u2028there",
  "half \uD83E",
]

/** What every `Mailer` promises. */
export const mailerContract = (name: string, make: () => MailerHarness | Promise<MailerHarness>) =>
  describe(`mailer: ${name}`, () => {
    const harness = harnessOf(make)

    const expectDelivered = async (mail: Mail) => {
      await Effect.runPromise(harness().mailer.send(mail))
      expect(harness().arrived()).toEqual([arrivedFrom(mail)])
    }

    it("delivers both parts to the recipient", () => expectDelivered(aMail()))

    it.each(["a+b.c_d-e'f@mail.example.co", "a!#$%&*/=?^`{|}~@example.com"])("delivers to %s", (to) =>
      expectDelivered(aMail({ to })),
    )

    it.each(SUBJECTS)("delivers a subject %s", (_, subject) => expectDelivered(aMail({ subject })))

    it.each(BODIES)("delivers %s unchanged", (_, body) => expectDelivered(aMail({ text: body, html: body })))

    it("delivers many mails at once, each once", async () => {
      const mails = Array.from({ length: 20 }, (_, index) => aMail({ to: `ada${index}@example.com`, text: `${index}` }))
      await Effect.runPromise(Effect.all(mails.map(harness().mailer.send), { concurrency: "unbounded" }))
      const byText = (one: ArrivedMail, other: ArrivedMail) => Number(one.text) - Number(other.text)
      expect(harness().arrived().toSorted(byText)).toEqual(mails.map(arrivedFrom))
    })

    it.each(NOT_ONE_ADDRESS)("refuses to send to %j", async (to) => {
      await expectRefused(harness(), aMail({ to }))
      expect(harness().arrived()).toEqual([])
    })

    it.each(NOT_ONE_LINE)("refuses the subject %j", async (subject) => {
      await expectRefused(harness(), aMail({ subject }))
      expect(harness().arrived()).toEqual([])
    })

    it("refuses an address that is too long", async () => {
      await expectRefused(harness(), aMail({ to: `${"a".repeat(250)}@example.com` }))
      expect(harness().arrived()).toEqual([])
    })

    it("refuses a text that is not well-formed, and sends the next mail", async () => {
      await expectRefused(harness(), aMail({ text: "half \uD83E" }))
      await expectRefused(harness(), aMail({ html: "half \uD83E" }))
      await expectDelivered(aMail())
    })
  })

/** What a `Mailer` promises about failures, for each way in which it can fail. */
export const failingMailerContract = (name: string, make: () => FailingMailerHarness | Promise<FailingMailerHarness>) =>
  describe(`failing mailer: ${name}`, () => {
    const harness = harnessOf(make)

    it("fails only while the failure lasts", async () => {
      const before = aMail({ text: "before" })
      const afterwards = aMail({ text: "afterwards" })
      await Effect.runPromise(harness().mailer.send(before))
      await harness().startFailing()
      await expectRefused(harness(), aMail({ text: "lost" }))
      await expectRefused(harness(), aMail({ text: "lost too" }))
      await harness().stopFailing()
      await Effect.runPromise(harness().mailer.send(afterwards))
      expect(harness().arrived()).toEqual([before, afterwards].map(arrivedFrom))
    })
  })
