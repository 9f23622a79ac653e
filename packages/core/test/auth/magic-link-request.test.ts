import { createEngagement, type Mailer } from "@hearth/core"
import { MagicLinkRequest } from "@hearth/core/auth"
import { anId } from "@hearth/testing"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { type AuthWorld, authWorld } from "./world.ts"

const email = "ada@example.com"
const limited = { code: "RATE_LIMIT_EXCEEDED", kind: "rate_limited" }

const withRequests = (subject: AuthWorld) => {
  const request = (to = email, origin: string | null = null) =>
    subject.auth.magicLinks.request(subject.projectId, to, origin)
  return {
    ...subject,
    request,
    ask: (to?: string, origin?: string | null) => subject.run(request(to, origin)),
    /** How long a refused caller is told to wait, in seconds. */
    askRefused: async (to?: string) => {
      const refused = await subject.refusal(request(to))
      expect(refused).toMatchObject(limited)
      return refused.details?.["retry_after_seconds"]
    },
    magicLinks: () => subject.read((db) => db.magicLinks.list({}, [["created_at", "asc"]])),
  }
}

/** The address in the last mail, and the token in it. */
const lastLink = ({ world }: AuthWorld) => {
  const [, address = "", token = ""] =
    /^(\S+\/auth\/verify\?token=(\S+))$/m.exec(world.mailer.sent.at(-1)?.text ?? "") ?? []
  return { address, token }
}

describe("asking for a magic link", () => {
  it("mails a link that is valid for 15 minutes, and stores only the fingerprint of its token", async () => {
    const subject = withRequests(await authWorld({ name: "Lingua" }))
    const { ask, magicLinks, world } = subject
    expect(await ask()).toEqual({ ok: true })
    expect(world.mailer.sent).toMatchObject([{ to: email, subject: "Sign in to Lingua" }])
    const { token } = lastLink(subject)
    expect(token).toMatch(/^[\w-]{43}$/)
    const stored = await magicLinks()
    expect(stored).toMatchObject([
      {
        email,
        token_hash: world.ports.tokens.fingerprint(token),
        created_at: new Date("2026-03-01T12:00:00.000Z"),
        expires_at: new Date("2026-03-01T12:15:00.000Z"),
        used_at: null,
      },
    ])
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  it("creates another link each time, and neither a user nor a session", async () => {
    const subject = withRequests(await authWorld())
    const { ask, magicLinks, users, families } = subject
    await ask()
    const first = lastLink(subject)
    await ask()
    expect(lastLink(subject).token).not.toBe(first.token)
    expect(await magicLinks()).toHaveLength(2)
    expect([await users(), await families()]).toEqual([[], []])
  })

  it("is the same for those who have an account, are disabled, or have none", async () => {
    const subject = withRequests(await authWorld())
    const { ask, auth, projectId, run, disable, world } = subject
    await run(auth.email.signup(projectId, { email, password: "correct horse" }))
    const disabled = await run(auth.email.signup(projectId, { email: "bob@example.com", password: "correct horse" }))
    await disable(disabled.user.id)
    for (const to of [email, "bob@example.com", "nobody@example.com"]) expect(await ask(to)).toEqual({ ok: true })
    expect(world.mailer.sent.map(({ to }) => to)).toEqual([email, "bob@example.com", "nobody@example.com"])
  })

  it("reads an address trimmed and in lower case, and needs a plausible one", () => {
    const decode = (to: unknown) => Schema.decodeUnknownResult(MagicLinkRequest)({ email: to })
    expect(decode("  ADA@Example.com ")).toMatchObject({ success: { email } })
    for (const to of [undefined, null, 7, "", "ada", "ada@", "@example.com", "a@b@example.com", "a@e.com,b@e.com"]) {
      expect(decode(to)._tag, String(to)).toBe("Failure")
    }
  })

  it("is forgotten a day after its end, with the email, whatever else the project does", async () => {
    const { ask, magicLinks, world } = withRequests(await authWorld())
    await ask()
    await world.advance("1 day")
    await ask()
    expect(await magicLinks()).toHaveLength(2)
    await world.advance("16 minutes")
    expect(await magicLinks()).toHaveLength(1)
    await world.advance("1 day")
    expect(await magicLinks()).toHaveLength(0)
  })

  it("needs a project that can be used, and its database", async () => {
    const { auth, ask, request, refusal, run, projectId, world } = withRequests(await authWorld())
    const ready = (is_ready: boolean) =>
      run(world.control.transact((db) => db.projects.update(projectId, { is_ready })))
    await ready(false)
    expect(await refusal(request())).toMatchObject({ code: "NOT_FOUND" })
    await ready(true)
    expect(await refusal(auth.magicLinks.request(anId(), email, null))).toMatchObject({ code: "NOT_FOUND" })
    world.tenants.unreachable(projectId, true)
    expect(await refusal(request())).toMatchObject({ code: "TENANT_UNAVAILABLE" })
    expect(world.mailer.sent).toEqual([])
    world.tenants.unreachable(projectId, false)
    await ask()
  })
})

describe("the origin of a magic link [B11]", () => {
  const app = "https://hearth.example"
  const allowed = ["https://app.example", "https://Other.example:8443", "myapp://auth"]
  const addressFor = async (
    requested: string | null,
    origins: { readonly fixed?: string; readonly app?: string; readonly allowLoopback?: boolean } = {},
  ) => {
    const subject = await authWorld({ allowed_origins: allowed })
    const magicLinks = { fixed: null, app, allowLoopback: false, ...origins }
    const { auth } = createEngagement(subject.world.ports, { magicLinks })
    await subject.run(auth.magicLinks.request(subject.projectId, email, requested))
    const { address, token } = lastLink(subject)
    return address.slice(0, -`/auth/verify?token=${token}`.length)
  }

  it("is the fixed one before every other", async () => {
    const fixed = "https://links.example/base"
    for (const requested of [null, "https://app.example", "https://evil.example"]) {
      expect(await addressFor(requested, { fixed })).toBe(fixed)
    }
    expect(await addressFor(null, { fixed: `${fixed}/` })).toBe(fixed)
  })

  it.for([
    ["https://app.example", "https://app.example"],
    ["HTTPS://App.Example", "https://app.example"],
    ["https://other.example:8443", "https://other.example:8443"],
    ["myapp://auth", "myapp://auth"],
  ] as const)("is the request's own where the project allows it: %s", async ([requested, expected]) => {
    expect(await addressFor(requested)).toBe(expected)
  })

  it.for([
    null,
    "",
    "null",
    "https://evil.example",
    "http://app.example",
    "https://app.example:8443",
    "https://app.example.evil.example",
    "https://evil.example/https://app.example",
    "https://app.example@evil.example",
    "https://evil.example#https://app.example",
    "https://app.example/path",
    "https://app.example\r\nBcc: eve@example.com",
    "https://app.example https://evil.example",
    " https://app.example",
    "javascript:alert(1)",
    "https://xapp.example",
    "http://localhost:3000",
  ])("is the app's otherwise: %j", async (requested) => {
    expect(await addressFor(requested)).toBe(app)
    expect(await addressFor(requested, { app: `${app}/` })).toBe(app)
  })

  it.for([
    "http://localhost",
    "http://localhost:3000",
    "https://127.0.0.1:8443",
    "http://127.1.2.3",
    "http://[::1]:5173",
  ])("may be on this machine while running embedded: %s", async (requested) => {
    expect(await addressFor(requested, { allowLoopback: true })).toBe(requested)
    expect(await addressFor(requested)).toBe(app)
  })

  it.for([
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "http://127.0.0.1@evil.example",
    "http://localhost:3000@evil.example",
    "http://localhost:3000/evil",
    "http://evil.example/localhost",
    "http://localhost\nevil.example",
    "http://10.0.0.1",
    "http://[::1].evil.example",
    "ftp://localhost",
    "http://localhost:123456",
  ])("does not accept an origin that only resembles this machine: %j", async (requested) => {
    expect(await addressFor(requested, { allowLoopback: true })).toBe(app)
  })

  it("is looked at once, however many slashes it has", async () => {
    expect(await addressFor(`${"/".repeat(1_000_000)}x`)).toBe(app)
  })
})

describe("how often a magic link can be asked for", () => {
  it("is five times an hour, and the sixth request is told when to retry", async () => {
    const { ask, askRefused, magicLinks, world } = withRequests(await authWorld())
    for (let times = 0; times < 5; times += 1) await ask()
    expect(await askRefused()).toBe(3600)
    await world.advance("10 minutes")
    expect(await askRefused()).toBe(3000)
    expect([world.mailer.sent.length, (await magicLinks()).length]).toEqual([5, 5])
    await world.advance("50 minutes")
    await ask()
  })

  it("is twenty times a day", async () => {
    const { ask, askRefused, world } = withRequests(await authWorld())
    for (let hour = 0; hour < 4; hour += 1) {
      for (let times = 0; times < 5; times += 1) await ask()
      await world.advance("1 hour")
    }
    expect(await askRefused()).toBe(20 * 3600)
    await world.advance("19 hours")
    expect(await askRefused()).toBe(3600)
    await world.advance("1 hour")
    await ask()
    expect(world.mailer.sent).toHaveLength(21)
  })

  it("is counted for each email of each project", async () => {
    const { ask, askRefused, auth, run, world } = withRequests(await authWorld())
    for (let times = 0; times < 5; times += 1) await ask()
    await ask("bob@example.com")
    const other = await world.aProjectWithOwner()
    await run(auth.magicLinks.request(other.projectId, email, null))
    await askRefused()
  })

  it("is counted correctly for concurrent requests", async () => {
    const { request, atOnce, world } = withRequests(await authWorld())
    const { successes, failures } = await atOnce(Array.from({ length: 20 }, () => request()))
    expect([successes.length, failures.length, world.mailer.sent.length]).toEqual([5, 15, 5])
  })
})

describe("a mail that cannot be delivered", () => {
  const withMailer = async (send: Mailer["send"]) =>
    withRequests(await authWorld({}, { ports: () => ({ mailer: { send } }) }))
  const reasons = ({ world }: AuthWorld) => world.signals.of("magic_link_not_sent").map(({ reason }) => reason)

  it("does not change the answer, and is signalled with its reason", async () => {
    const subject = withRequests(await authWorld())
    subject.world.mailer.failing(true)
    expect(await subject.ask()).toEqual({ ok: true })
    expect(reasons(subject)).toEqual(["this mailer was made to fail"])
  })

  it("does not change the answer when the mailer dies, and no address is signalled", async () => {
    const broken = new Error(`no route to ${email}`)
    for (const send of [
      () => Effect.die(broken),
      () => {
        throw broken
      },
    ]) {
      const subject = await withMailer(send)
      expect(await subject.ask()).toEqual({ ok: true })
      expect(reasons(subject)).toEqual(["the mailer broke"])
    }
  })

  it("is not waited for", async () => {
    const subject = await withMailer(() => Effect.never)
    expect(await subject.ask()).toEqual({ ok: true })
    expect(await subject.magicLinks()).toHaveLength(1)
  })
})
