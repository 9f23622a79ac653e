import { describe, expect, it } from "vitest"
import { magicLinkMail } from "./magic-link-mail.ts"

const link = "https://app.example/auth/verify?token=Zm9v_-YmFy"

const mailOf = (changes: Partial<Parameters<typeof magicLinkMail>[0]> = {}) =>
  magicLinkMail({ to: "ada@example.com", link, projectName: "Lingua", minutes: 15, ...changes })

/** What a browser would show of an attribute or a text. */
const unescaped = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => unescaped(href))
const tags = (html: string) => [...html.matchAll(/<(\/?[a-z0-9]+)/gi)].map(([, tag]) => tag)
const shownIn = (html: string) => unescaped(/<bdi>(.*)<\/bdi>/.exec(html)?.[1] ?? "")

describe("the mail with a magic link", () => {
  it("goes to the one who asked, and names the project", () => {
    const { to, subject, text, html } = mailOf()
    expect([to, subject]).toEqual(["ada@example.com", "Sign in to Lingua"])
    expect(text).toContain("Sign in to Lingua")
    expect(shownIn(html)).toBe("Lingua")
  })

  it("has the link as a button, to be copied, and on a line of its own in the text", () => {
    const { text, html } = mailOf()
    expect(hrefs(html)).toEqual([link, link])
    expect(html).toMatch(/background[^>]*>Sign in<\/a>/)
    expect(html).toContain(`break-all">${link}</a>`)
    expect(text.split("\n")).toContain(link)
  })

  it("says that the link works once, how long it is valid, and what to do when it was not requested", () => {
    for (const part of [mailOf().text, mailOf().html]) {
      expect(part).toContain("works once, and for 15 minutes.")
      expect(part).toContain("If you did not ask for it, you can ignore this mail")
    }
    expect(mailOf({ minutes: 1 }).text).toContain("for 1 minute.")
  })

  it("loads nothing from anywhere, and leaves the choice of dark and light to the program", () => {
    const { html } = mailOf()
    expect(html).not.toMatch(/<(img|script|link|iframe|table)|url\(|src=/i)
    expect(html).toContain('name="color-scheme" content="light dark"')
  })

  it.each([
    "myapp://auth/verify?token=abc",
    "http://127.0.0.1:3000/auth/verify?token=abc",
    "https://app.example/auth/verify?a=1&token=abc",
    `https://app.example/"><b>'/auth/verify?token=abc`,
  ])("leads to %s", (address) => {
    const { text, html } = mailOf({ link: address })
    expect(hrefs(html)).toEqual([address, address])
    expect(tags(html)).toEqual(tags(mailOf().html))
    expect(text.split("\n")).toContain(address)
  })
})

describe("the name of a project in a mail", () => {
  it.each([
    ["markup", `<script>alert("1")</script>`],
    ["an end of the title", "</title></bdi><img src=x onerror=alert(1)>"],
    ["quotes and ampersands", `Tom & Jerry's "game" &lt;b&gt;`],
    ["another script", "שלום עולם"],
    ["emoji that belong together", "👩‍👩‍👧 family"],
  ])("may hold %s", (_, projectName) => {
    const { subject, text, html } = mailOf({ projectName })
    expect(subject).toBe(`Sign in to ${projectName}`)
    expect(text).toContain(projectName)
    expect(shownIn(html)).toBe(projectName)
    expect(unescaped(/<title>(.*)<\/title>/.exec(html)?.[1] ?? "")).toBe(subject)
    expect(tags(html)).toEqual(tags(mailOf().html))
  })

  it.each([
    ["line breaks", "Lingua\r\nBcc: eve@example.com\r\n\r\nHello", "Lingua Bcc: eve@example.com Hello"],
    ["other line breaks", "a\u2028b\u2029c\u0085d\ve", "a b c d e"],
    ["controls", "\u0000Lin\u0007gua\u007F ", "Lin gua"],
    ["marks that turn the direction", "Lingua\u202Egnp.exe\u2066", "Linguagnp.exe"],
    ["half a character", "half \uD83E", "half \uFFFD"],
    ["nothing to show", " \r\n\u200F", "your account"],
  ])("is shown without %s", (_, projectName, shown) => {
    const { subject, text, html } = mailOf({ projectName })
    expect(subject).toBe(`Sign in to ${shown}`)
    expect(text).toContain(`Sign in to ${shown} by`)
    expect(shownIn(html)).toBe(shown)
  })

  it("is cut between characters when it is long", () => {
    expect(mailOf({ projectName: "🦊".repeat(80) }).subject).toBe(`Sign in to ${"🦊".repeat(80)}`)
    expect(mailOf({ projectName: "🦊".repeat(81) }).subject).toBe(`Sign in to ${"🦊".repeat(79)}…`)
    expect(mailOf({ projectName: "x".repeat(100_000) }).html.length).toBeLessThan(3_000)
  })
})
