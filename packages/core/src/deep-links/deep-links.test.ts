import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { createEngagement } from "../engagement.ts"
import { isWebAddress } from "../web-address.ts"
import { isBelow, isDomain, isPerson, isUrlScheme, mayPointTo, readPlatform } from "./rules.ts"

describe("the scheme of an app [I8.1]", () => {
  test.each(["myapp", "a1", "com.example.app+x", `a${"b".repeat(31)}`])("may be %s", (scheme) => {
    expect(isUrlScheme(scheme)).toBe(true)
  })
  test.each([
    ...["", "a", "1app", "MyApp", "my app", "my:app", "my/app", `a${"b".repeat(32)}`],
    ...["http", "https", "javascript", "data", "file", "vbscript", "blob", "about", "intent", "content"],
  ])("may not be %j", (scheme) => {
    expect(isUrlScheme(scheme)).toBe(false)
  })
})

describe("the domain of links [I8.2]", () => {
  test.each(["go.example", "xn--mnchen-3ya.de", "a.b.c.d.example", `${"a".repeat(63)}.example`])(
    "may be %s",
    (domain) => {
      expect(isDomain(domain)).toBe(true)
    },
  )
  test.each([
    ...["", "example", "Go.example", "münchen.de", "go.example.", ".example", "a..example", "-a.example", "a-.example"],
    ...["127.0.0.1", "go.example:443", "[::1]", "go_x.example", "go.example/l", `${"a".repeat(64)}.example`, "a.1"],
    `${"a.".repeat(124)}example`,
  ])("may not be %j", (domain) => {
    expect(isDomain(domain)).toBe(false)
  })
  test("is not the service's own, nor below it", () => {
    const hosts = ["api.example"]
    expect(["api.example", "go.api.example"].map((domain) => isBelow(domain, hosts))).toEqual([true, true])
    expect(["example", "my-api.example", "api.example.org"].map((domain) => isBelow(domain, hosts))).toEqual([
      ...[false, false, false],
    ])
  })
})

describe("where a link leads to [I8.1]", () => {
  test.each([
    ...["https://example.com", "http://user:pw@example.com:8080/a?b#c", "https://münchen.de/ü", "HTTPS://EXAMPLE.com"],
    ...["myapp://items/1", "myapp:items"],
  ])("may be %s", (address) => {
    expect(mayPointTo(address, "myapp")).toBe(true)
  })
  test.each([
    ...["", "example.com", "//example.com", "/a", "https://", "https:example.com", "https:/example.com", "ftp://a.b"],
    ...["javascript:alert(1)", "java\nscript:alert(1)", " https://example.com", "https://example.com/a b"],
    ...["https://example.com\\@evil.example", "data:text/html,x", "file:///etc/passwd", "other://x", "MYAPP2://x"],
  ])("may not be %j", (address) => {
    expect(mayPointTo(address, "myapp")).toBe(false)
  })
  test("is no app where the project has none", () => {
    expect([mayPointTo("myapp://x", null), isWebAddress("myapp://x")]).toEqual([false, false])
  })
})

describe("a visitor [I8.2, I8.4]", () => {
  test.each([
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "ios"],
    ["Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X)", "ios"],
    ["Mozilla/5.0 (Linux; Android 15; Pixel 9)", "android"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "web"],
    ["Opera/9.80 (X11; Linux x86_64)", "web"],
    ["curl/8.0", "unknown"],
    ["", "unknown"],
  ])("%j is on %s", (agent, platform) => {
    expect(readPlatform(agent)).toBe(platform)
  })
  test.each([
    ...["Googlebot/2.1", "facebookexternalhit/1.1", "Twitterbot/1.0", "WhatsApp/2.23", "Slackbot-LinkExpanding 1.0"],
    ...[
      "Mozilla/5.0 (compatible; Discordbot/2.0)",
      "TelegramBot (like TwitterBot)",
      "LinkedInBot/1.0",
      "SkypeUriPreview",
    ],
  ])("%s is not a person", (agent) => {
    expect(isPerson(agent, null)).toBe(false)
  })
  test("who has the page fetched ahead of time is none yet", () => {
    expect(["prefetch", "prefetch;prerender", "preview"].map((purpose) => isPerson("Mozilla/5.0", purpose))).toEqual([
      ...[false, false, false],
    ])
    expect([isPerson("Mozilla/5.0 (Linux; Android 9; CUBOT)", null), isPerson("Mozilla/5.0", null)]).toEqual([
      ...[true, true],
    ])
  })
})

/** A project with a link to the web. */
const linkedWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const core = createEngagement(world.ports, { hosts: ["api.example"] })
  const { projectId } = await world.aProjectWithOwner()
  const link = { slug: "sale", destination_url: "https://example.com/sale", metadata: {} }
  const { id } = await world.run(core.deepLinks.create(projectId, link))
  const visit = { host: "", slug: "sale", agent: "Mozilla/5.0", purpose: null, address: "192.0.2.1", isHead: false }
  return {
    world,
    core,
    projectId,
    link,
    visit,
    clicks: async () => (await world.run(core.deepLinks.stats(projectId, id))).total_clicks,
    refusal: <A, E>(effect: Effect.Effect<A, E>) => world.run(Effect.flip(effect)),
  }
}

describe("links of a project", () => {
  it("have a slug once, and a destination that may be one [I8.1]", async () => {
    const { core, projectId, link, refusal } = await linkedWorld()
    expect(await refusal(core.deepLinks.create(projectId, link))).toMatchObject({ code: "SLUG_EXISTS" })
    const toApp = { ...link, slug: "app", destination_url: "myapp://x" }
    expect(await refusal(core.deepLinks.create(projectId, toApp))).toMatchObject({
      code: "INVALID_INPUT",
      details: { issues: [{ path: "destination_url" }] },
    })
  })

  it("can lead elsewhere later, where they may [I8.1]", async () => {
    const { world, core, projectId, link, refusal } = await linkedWorld()
    const [{ id } = { id: "" }] = (await world.run(core.deepLinks.list(projectId, { limit: 1, offset: 0 }))).rows
    const change = (changes: object, linkId = id) => core.deepLinks.update(projectId, linkId, changes)
    const destination_url = "https://example.com/summer"
    expect(await world.run(change({ destination_url }))).toMatchObject({ slug: link.slug, destination_url })
    expect(await world.run(change({ metadata: { item: 1 } }))).toMatchObject({ destination_url, metadata: { item: 1 } })
    expect(await refusal(change({ destination_url: "myapp://x" }))).toMatchObject({ code: "INVALID_INPUT" })
    expect(await refusal(change({ metadata: {} }, projectId))).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(change({}))).toMatchObject({ destination_url, metadata: { item: 1 } })
  })

  it("count 60 visits a minute from one address, and redirect all [I8.4]", async () => {
    const { world, core, projectId, visit, clicks } = await linkedWorld()
    for (let visits = 0; visits < 65; visits += 1) {
      expect(await world.run(core.deepLinks.visitOf(projectId, visit))).toBe("https://example.com/sale")
    }
    expect(await clicks()).toBe(60)
    await world.run(core.deepLinks.visitOf(projectId, { ...visit, address: "192.0.2.2" }))
    world.clock.advance("1 minute")
    await world.run(core.deepLinks.visitOf(projectId, visit))
    expect(await clicks()).toBe(62)
  })

  it("are those of the user whose session it is, as long as there is one", async () => {
    const { world, core, projectId, refusal } = await linkedWorld()
    const { userId } = await world.aSignedInUser(projectId)
    await world.run(core.users.remove(projectId, userId))
    expect(await refusal(core.deepLinks.resolve(projectId, userId, "sale", "ios"))).toMatchObject({
      code: "INVALID_TOKEN",
    })
  })

  it("are set off as events that features can react to [I8.3]", async () => {
    const { world, core, projectId } = await linkedWorld()
    const { userId } = await world.aSignedInUser(projectId)
    const streak = { name: "Opens", qualifying_event: "deep_link_opened", period: "daily" as const }
    const rules = { description: null, grace_period_hours: 0, freeze_enabled: false, max_freezes: 1 }
    await world.run(core.streaks.create(projectId, { ...streak, ...rules, freezes_per_n_events: null }))
    await world.run(core.deepLinks.resolve(projectId, userId, "sale", "ios"))
    await world.runPending()
    expect(await world.run(core.streaks.own(projectId, userId))).toMatchObject([{ current_count: 1 }])
  })
})

describe("links at a redirect", () => {
  it("lead to the app of the project only as long as it is the project's, else to the fallback, else nowhere [I8.1, I8.2]", async () => {
    const { world, core, projectId, link, visit, refusal } = await linkedWorld()
    await world.run(core.deepLinks.configure(projectId, { url_scheme: "myapp" }))
    await world.run(core.deepLinks.create(projectId, { ...link, slug: "app", destination_url: "myapp://x" }))
    const go = core.deepLinks.visitOf(projectId, { ...visit, slug: "app" })
    expect(await world.run(go)).toBe("myapp://x")
    await world.run(core.deepLinks.configure(projectId, { url_scheme: null }))
    expect(await refusal(go)).toMatchObject({ code: "NOT_FOUND" })
    await world.run(core.deepLinks.configure(projectId, { fallback_url: "https://example.com/" }))
    expect(await world.run(go)).toBe("https://example.com/")
    const { userId } = await world.aSignedInUser(projectId)
    expect(await refusal(core.deepLinks.resolve(projectId, userId, "app", "ios"))).toMatchObject({ code: "NOT_FOUND" })
  })

  it("keep the settings that are left out of a change; null clears one [I8.1]", async () => {
    const { world, core, projectId } = await linkedWorld()
    await world.run(core.deepLinks.configure(projectId, { url_scheme: "myapp", ios_team_id: "A1B2C3D4E5" }))
    await world.run(core.deepLinks.configure(projectId, { url_scheme: null }))
    expect(await world.run(core.deepLinks.config(projectId))).toMatchObject({
      ...{ url_scheme: null, ios_team_id: "A1B2C3D4E5" },
    })
  })

  it("count by platform and day, a known user once per link, and none of HEAD, previews and prefetches [I8.2, I8.3, I8.4]", async () => {
    const { world, core, projectId, visit, clicks } = await linkedWorld()
    const [one] = (await world.run(core.deepLinks.list(projectId, { limit: 1, offset: 0 }))).rows
    const { userId } = await world.aSignedInUser(projectId)
    for (const platform of ["ios", "ios", "unknown"] as const)
      await world.run(core.deepLinks.resolve(projectId, userId, "sale", platform))
    world.clock.advance("1 day")
    for (const odd of [{ isHead: true }, { agent: "Slackbot-LinkExpanding 1.0" }, { purpose: "prefetch" }])
      await world.run(core.deepLinks.visitOf(projectId, { ...visit, ...odd }))
    expect(await clicks()).toBe(3)
    await world.run(core.deepLinks.visitOf(projectId, visit))
    expect(await world.run(core.deepLinks.stats(projectId, one?.id ?? ""))).toMatchObject({
      ...{ total_clicks: 4, unique_users: 1, clicks_by_platform: { ios: 2, web: 1, unknown: 1, android: 0 } },
    })
    const none = { ios: 0, android: 0, web: 0, unknown: 0 }
    const days = await world.run(core.deepLinks.clicksByDay(projectId, one?.id ?? "", 3))
    expect(days.map(({ day: _, ...clicks }) => clicks)).toEqual([
      none,
      { ...none, ios: 2, unknown: 1 },
      { ...none, web: 1 },
    ])
    expect(days.at(-1)?.day).toBe(world.clock.now().toISOString().slice(0, 10))
    expect(await world.run(Effect.flip(core.deepLinks.clicksByDay(projectId, projectId, 1)))).toMatchObject({
      code: "NOT_FOUND",
    })
  })
})

describe("the domain of a project", () => {
  it("is nobody else's, and nothing changes where it is refused [I8.2]", async () => {
    const { world, core, projectId, visit, refusal } = await linkedWorld()
    const other = await world.aProjectWithOwner()
    const domain = { universal_link_domain: "go.example" }
    await world.run(core.deepLinks.configure(projectId, domain))
    const taking = core.deepLinks.configure(other.projectId, { ...domain, url_scheme: "myapp" })
    expect(await refusal(taking)).toMatchObject({ code: "DOMAIN_TAKEN", kind: "conflict" })
    expect(await refusal(core.deepLinks.config(other.projectId))).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(core.deepLinks.visit({ ...visit, host: "go.example" }))).toBe("https://example.com/sale")

    await world.run(core.deepLinks.configure(projectId, { universal_link_domain: "new.example" }))
    expect(await world.run(taking)).toMatchObject({ ...domain, url_scheme: "myapp" })
    expect(await refusal(core.deepLinks.visit({ ...visit, host: "go.example" }))).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(core.deepLinks.visit({ ...visit, host: "new.example" }))).toBe("https://example.com/sale")
  })

  it("is the project's from the next visit, also where it was nobody's a moment ago [I8.2]", async () => {
    const { world, core, projectId, visit, refusal } = await linkedWorld()
    const come = core.deepLinks.visit({ ...visit, host: "go.example" })
    expect(await refusal(come)).toMatchObject({ code: "NOT_FOUND" })
    await world.run(core.deepLinks.configure(projectId, { universal_link_domain: "go.example" }))
    expect(await world.run(come)).toBe("https://example.com/sale")
  })

  it("is claimed by one of many who want it at once [I8.2]", async () => {
    const { world, core, projectId } = await linkedWorld()
    const projects = [
      projectId,
      ...(await Promise.all([1, 2, 3].map(() => world.aProjectWithOwner()))).map((p) => p.projectId),
    ]
    const claims = projects
      .flatMap((id) => [id, id])
      .map((id) => Effect.exit(core.deepLinks.configure(id, { universal_link_domain: "go.example" })))
    const exits = await world.run(Effect.all(claims, { concurrency: "unbounded" }))
    expect(exits.filter(({ _tag }) => _tag === "Success")).toHaveLength(2)
  })

  it("is looked up for hosts that can be one only, so that made-up hosts cost nothing [I8.2]", async () => {
    let reads = 0
    const { visit, world } = await linkedWorld()
    const control = {
      ...world.control,
      read: ((work) => {
        reads += 1
        return world.control.read(work)
      }) as typeof world.control.read,
    }
    const core = createEngagement({ ...world.ports, control })
    for (const host of ["", "localhost", "127.0.0.1", `${"a.".repeat(4_000)}example`]) {
      expect(await world.run(Effect.flip(core.deepLinks.visit({ ...visit, host })))).toMatchObject({
        code: "NOT_FOUND",
      })
    }
    expect(reads).toBe(0)
  })

  it("is not one of the service's own hosts [I8.2]", async () => {
    const { core, projectId, refusal } = await linkedWorld()
    for (const universal_link_domain of ["api.example", "go.api.example"]) {
      expect(await refusal(core.deepLinks.configure(projectId, { universal_link_domain }))).toMatchObject({
        code: "INVALID_INPUT",
        details: { issues: [{ path: "universal_link_domain" }] },
      })
    }
  })
})
