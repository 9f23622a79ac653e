import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { environmentExample, readSettings } from "../../src/environment/index.ts"
import { mailSettings, parseMailbox } from "../../src/mail/index.ts"
import { parseSmtpUrl } from "../../src/mail/smtp-url.ts"

const read = (environment: Record<string, string>) => readSettings(mailSettings, environment)

describe("the settings of mails", () => {
  it("name no server when they are left out", () => {
    expect(Result.getOrThrow(read({}))).toEqual({
      SMTP_URL: null,
      MAIL_FROM: { name: "Hearth", address: "no-reply@localhost" },
    })
  })

  it("are a server and a sender", () => {
    const given = { SMTP_URL: "smtps://u:p@mail.example", MAIL_FROM: "Lingua <hello@lingua.example>" }
    expect(Result.getOrThrow(read(given))).toEqual({
      SMTP_URL: "smtps://u:p@mail.example",
      MAIL_FROM: { name: "Lingua", address: "hello@lingua.example" },
    })
  })

  it("fail with a sentence each, which repeats no password", () => {
    const problems = read({ SMTP_URL: "smtp://user:canary-7c1f@", MAIL_FROM: "a@b.c, d@e.f" })
    expect(Result.isFailure(problems) && problems.failure).toEqual([
      expect.stringMatching(/^SMTP_URL: must be like smtps:\/\/.*\.$/),
      'MAIL_FROM: must be one mailbox, like Hearth <no-reply@mail.example>; it is "a@b.c, d@e.f".',
    ])
    expect(JSON.stringify(problems)).not.toContain("canary")
  })

  it("are in the example with their description", () => {
    expect(environmentExample(mailSettings)).toContain("# MAIL_FROM=Hearth <no-reply@localhost>\n")
  })
})

describe("the URL of a mail server", () => {
  it.each([
    ["smtp://mail.example", { host: "mail.example", port: 587, secure: false, user: null }],
    ["smtps://mail.example", { host: "mail.example", port: 465, secure: true, user: null }],
    ["smtp://127.0.0.1:1025/", { host: "127.0.0.1", port: 1025, secure: false, user: null }],
    ["smtp://[::1]:25", { host: "::1", port: 25, secure: false, user: null }],
    [
      "smtps://me%40here:p%3Aa%2Fs%C3%BC@mail.example:2465",
      { host: "mail.example", port: 2465, secure: true, user: { name: "me@here", password: "p:a/sü" } },
    ],
  ])("%s is parsed", (url, server) => expect(parseSmtpUrl(url)).toEqual(server))

  it.each([
    "",
    "mail.example",
    "smtp:mail.example",
    "smtp://",
    "http://mail.example",
    "smtp://mail.example:0",
    "smtp://mail.example:99999",
    "smtp://mail.example/path",
    "smtp://mail.example?pool=true",
    "smtp://mail.example#x",
    "smtp://user@mail.example",
    "smtp://:password@mail.example",
    "smtp://user:%zz@mail.example",
    "smtp://mail example",
  ])("%j is refused", (url) => expect(parseSmtpUrl(url)).toBe(null))
})

describe("a mailbox", () => {
  it.each([
    ["no-reply@localhost", { name: "", address: "no-reply@localhost" }],
    ["<no-reply@mail.example>", { name: "", address: "no-reply@mail.example" }],
    ["Hearth <a@b.example>", { name: "Hearth", address: "a@b.example" }],
    ["Grüße von Hearth  <a@b.example>", { name: "Grüße von Hearth", address: "a@b.example" }],
    ['"Hearth, Inc." <a@b.example>', { name: "Hearth, Inc.", address: "a@b.example" }],
  ])("is %s", (text, mailbox) => expect(parseMailbox(text)).toEqual(mailbox))

  it.each([
    "",
    "Hearth",
    "Hearth <>",
    "Hearth <a>",
    "a@b.example, c@d.example",
    "a@b.example <c@d.example>",
    "Hearth, Inc. <a@b.example>",
    "A <a@b.example>, B <c@d.example>",
    "Hearth <a@b.example> x",
    "Hearth <a@b@c.example>",
    "Hearth\r\nBcc: <c@d.example>",
    "Hearth <a@b.example\n>",
    "a@b.example\n",
    "friends: a@b.example;",
    '"a"b" <a@b.example>',
  ])("is not %j", (text) => expect(parseMailbox(text)).toBe(null))
})
