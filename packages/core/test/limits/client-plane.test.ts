import { createEngagement, type Engagement, type Failure, InvalidInput, TenantBusy } from "@hearth/core"
import { defaultLimits, type LimitSettings } from "@hearth/core/limits"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { authWorld } from "../auth/world.ts"

const [here, there] = ["192.0.2.1", "198.51.100.7"]
const ada = { email: "ada@example.com", password: "correct horse" }
const limited = { code: "RATE_LIMIT_EXCEEDED", kind: "rate_limited" }

/** A world in which calls come from addresses, and their outcomes are told by code. */
const limitedWorld = async (limits: Partial<LimitSettings> = {}) => {
  const world = await authWorld()
  const core: Engagement = createEngagement(world.world.ports, { limits: { ...defaultLimits, ...limits } })
  const outcome = <A>(effect: Effect.Effect<A, Failure>) =>
    world.run(
      Effect.match(effect, { onFailure: (failure) => failure.code, onSuccess: () => "ok" }) as Effect.Effect<string>,
    )
  const repeat = async <A>(times: number, call: (turn: number) => Effect.Effect<A, Failure>) => {
    const outcomes: Array<string> = []
    for (let turn = 0; turn < times; turn += 1) outcomes.push(await outcome(call(turn)))
    return outcomes
  }
  const login = (password: string, address = here, email = ada.email, project = world.projectId) =>
    core.auth.email.login(project, { email, password }, address)
  return { ...world, core, outcome, repeat, login }
}

const countOf = (outcomes: ReadonlyArray<string>) =>
  Object.fromEntries([...new Set(outcomes)].map((code) => [code, outcomes.filter((each) => each === code).length]))

describe("guessing passwords [B14]", () => {
  it("is refused after ten failures in a quarter of an hour, for this email and address, with the right password too", async () => {
    const { core, run, repeat, login, outcome, refusal, projectId, world } = await limitedWorld()
    await run(core.auth.email.signup(projectId, ada))
    expect(countOf(await repeat(10, () => login("wrong")))).toEqual({ INVALID_CREDENTIALS: 10 })
    const refused = await refusal(login(ada.password))
    expect(refused).toMatchObject({ ...limited, details: { retry_after_seconds: 900 } })
    expect(await outcome(login(ada.password, here, " ADA@example.com "))).toBe("RATE_LIMIT_EXCEEDED")
    expect(await outcome(login(ada.password, there))).toBe("ok")
    expect(await outcome(login("wrong", here, "bob@example.com"))).toBe("INVALID_CREDENTIALS")
    await world.advance("899 seconds")
    expect(await outcome(login(ada.password))).toBe("RATE_LIMIT_EXCEEDED")
    await world.advance("1 second")
    expect(await outcome(login(ada.password))).toBe("ok")
  })

  it("counts failures only", async () => {
    const { core, run, repeat, login, projectId } = await limitedWorld()
    await run(core.auth.email.signup(projectId, ada))
    expect(countOf(await repeat(50, () => login(ada.password)))).toEqual({ ok: 50 })
    expect(countOf(await repeat(9, () => login("wrong")))).toEqual({ INVALID_CREDENTIALS: 9 })
    expect(countOf(await repeat(50, () => login(ada.password)))).toEqual({ ok: 50 })
    expect(await repeat(2, () => login("wrong"))).toEqual(["INVALID_CREDENTIALS", "RATE_LIMIT_EXCEEDED"])
  })

  it("is refused after a hundred failures for an email, from whatever addresses", async () => {
    const { core, run, repeat, login, outcome, projectId, world } = await limitedWorld()
    await run(core.auth.email.signup(projectId, ada))
    const outcomes = await repeat(101, (turn) => login("wrong", `10.0.${turn}.1`))
    expect(countOf(outcomes)).toEqual({ INVALID_CREDENTIALS: 100, RATE_LIMIT_EXCEEDED: 1 })
    expect(await outcome(login(ada.password, "10.9.9.9"))).toBe("RATE_LIMIT_EXCEEDED")
    await world.advance("1 hour")
    expect(await outcome(login(ada.password, "10.9.9.9"))).toBe("ok")
  })

  it("is refused after three hundred failures from an address, with whatever emails", async () => {
    const { repeat, login } = await limitedWorld()
    const outcomes = await repeat(301, (turn) => login("wrong", here, `nobody-${turn}@example.com`))
    expect(countOf(outcomes)).toEqual({ INVALID_CREDENTIALS: 300, RATE_LIMIT_EXCEEDED: 1 })
  })

  it("does not use up an email's hundred with calls that its address is refused for", async () => {
    const { core, run, repeat, login, outcome, projectId } = await limitedWorld()
    await run(core.auth.email.signup(projectId, ada))
    expect(countOf(await repeat(500, () => login("wrong")))).toMatchObject({ INVALID_CREDENTIALS: 10 })
    expect(await outcome(login(ada.password, there))).toBe("ok")
  })

  it("lets ten of a hundred guesses through that are made at once", async () => {
    const { core, run, login, atOnce, projectId } = await limitedWorld()
    await run(core.auth.email.signup(projectId, ada))
    const guesses = Array.from({ length: 100 }, (_, turn) => login(turn === 50 ? ada.password : `guess ${turn}`))
    const { failures, successes } = await atOnce(guesses)
    expect(successes).toEqual([])
    expect(countOf(failures.map(({ code }) => code))).toEqual({ INVALID_CREDENTIALS: 10, RATE_LIMIT_EXCEEDED: 90 })
  })

  it("lets all of many right passwords through that are given at once", async () => {
    const { core, run, login, atOnce, projectId } = await limitedWorld()
    await run(core.auth.email.signup(projectId, ada))
    const { successes } = await atOnce(Array.from({ length: 100 }, () => login(ada.password)))
    expect(successes).toHaveLength(100)
  })

  it("refuses no right password that waits for others which take long", async () => {
    const { core, run, projectId, world } = await limitedWorld()
    const login = core.limits.login(projectId, ada.email, here)(Effect.sleep("2 seconds"))
    const logins = run(
      Effect.all(
        Array.from({ length: 40 }, () => login),
        { concurrency: "unbounded" },
      ),
    )
    await world.advance("8 seconds")
    expect(await logins).toHaveLength(40)
  })

  it("lets nobody wait for others for more than about ten seconds", async () => {
    const { core, run, projectId, world } = await limitedWorld()
    const login = core.limits.login(projectId, ada.email, here)(Effect.sleep("1 minute"))
    void run(
      Effect.all(
        Array.from({ length: 10 }, () => login),
        { concurrency: "unbounded" },
      ),
    )
    const refused = run(Effect.flip(login))
    await world.advance("11 seconds")
    expect(await refused).toMatchObject({ ...limited, details: { retry_after_seconds: 1 } })
    await world.advance("1 minute")
  })

  it("counts per project", async () => {
    const { repeat, login, outcome, world } = await limitedWorld()
    await repeat(11, () => login("wrong"))
    const { projectId } = await world.aProjectWithOwner()
    expect(await outcome(login("wrong", here, ada.email, projectId))).toBe("INVALID_CREDENTIALS")
  })

  it("takes the addresses of an IPv6 network for one", async () => {
    const { repeat, login, outcome } = await limitedWorld()
    const outcomes = await repeat(11, (turn) => login("wrong", `2001:db8:1:2::${turn}`))
    expect(outcomes.at(-1)).toBe("RATE_LIMIT_EXCEEDED")
    expect(await outcome(login("wrong", "2001:db8:1:3::1"))).toBe("INVALID_CREDENTIALS")
  })
})

describe("guessing tokens [B14]", () => {
  it("is refused after sixty failures in a minute, per address and route", async () => {
    const { core, repeat, outcome, run, projectId, anonymous, identity, world } = await limitedWorld()
    const { session_token, refresh_token } = await anonymous()
    const { auth } = core
    const routes = {
      verify: (address: string) => auth.magicLinks.verify(projectId, { token: "guess" }, address),
      refresh: (address: string) => auth.sessions.refresh(projectId, "guess", address),
      link: (address: string) =>
        auth.identities.link(projectId, { provider: "idp_a", token: "guess", session_token }, address),
    }
    for (const route of Object.values(routes)) {
      const call: (address: string) => Effect.Effect<unknown, Failure> = route
      expect(countOf(await repeat(61, () => call(here)))).toEqual({ INVALID_TOKEN: 60, RATE_LIMIT_EXCEEDED: 1 })
      expect(await outcome(call(there))).toBe("INVALID_TOKEN")
    }
    expect(await outcome(auth.sessions.refresh(projectId, refresh_token, here))).toBe("RATE_LIMIT_EXCEEDED")
    const good = { provider: "idp_a", token: identity("idp_a", "ada"), session_token } as const
    expect(await outcome(auth.identities.link(projectId, good, here))).toBe("RATE_LIMIT_EXCEEDED")
    await world.advance("1 minute")
    await run(auth.sessions.refresh(projectId, refresh_token, here))
    expect(await outcome(auth.identities.link(projectId, good, here))).toBe("ok")
  })

  it("counts neither what succeeds, nor what says nothing about a credential", async () => {
    const { core, repeat, projectId, anonymous, world } = await limitedWorld()
    const tokens: Array<string> = []
    for (let turn = 0; turn < 80; turn += 1) tokens.push((await anonymous()).refresh_token)
    const refresh = (token = "none") => core.auth.sessions.refresh(projectId, token, here)
    expect(countOf(await repeat(80, (turn) => refresh(tokens[turn])))).toEqual({ ok: 80 })
    world.tenants.unreachable(projectId, true)
    const { refresh_token } = { refresh_token: tokens[0] }
    expect(countOf(await repeat(80, () => refresh(refresh_token)))).toEqual({ TENANT_UNAVAILABLE: 80 })
    world.tenants.unreachable(projectId, false)
    expect(countOf(await repeat(60, () => refresh("guess")))).toEqual({ INVALID_TOKEN: 60 })
  })

  it("lets sixty of two hundred through that are made at once", async () => {
    const { core, atOnce, projectId } = await limitedWorld()
    const guesses = Array.from({ length: 200 }, (_, turn) =>
      core.auth.magicLinks.verify(projectId, { token: `guess ${turn}` }, here),
    )
    const { failures } = await atOnce(guesses)
    expect(countOf(failures.map(({ code }) => code))).toEqual({ INVALID_TOKEN: 60, RATE_LIMIT_EXCEEDED: 140 })
  })
})

describe("signing up and in [B14]", () => {
  it("by email: a hundred times an hour and address", async () => {
    const { core, repeat, outcome, projectId } = await limitedWorld()
    const signup = (turn: number, address = here) =>
      core.auth.email.signup(projectId, { email: `user-${turn}@example.com`, password: "x" }, address)
    expect(countOf(await repeat(101, signup))).toEqual({ ok: 100, RATE_LIMIT_EXCEEDED: 1 })
    expect(await outcome(signup(101, there))).toBe("ok")
  })

  it("anonymously and with an identity: a thousand times a minute and address, together", async () => {
    const { core, repeat, outcome, projectId, identity } = await limitedWorld()
    const { auth } = core
    const social = () => auth.identities.social(projectId, { provider: "idp_a", token: identity("idp_a", "ada") }, here)
    expect(countOf(await repeat(990, () => auth.anonymous(projectId, here)))).toEqual({ ok: 990 })
    expect(countOf(await repeat(11, social))).toEqual({ ok: 10, RATE_LIMIT_EXCEEDED: 1 })
    expect(await outcome(auth.anonymous(projectId, here))).toBe("RATE_LIMIT_EXCEEDED")
    expect(await outcome(auth.anonymous(projectId, there))).toBe("ok")
  })

  it.each([
    [true, "127.0.0.1", "ok"],
    [true, "::1", "ok"],
    [true, here, "RATE_LIMIT_EXCEEDED"],
    [false, "127.0.0.1", "RATE_LIMIT_EXCEEDED"],
  ])(
    "is not counted for this machine while embedded (%s), from %s: %s",
    async (exempts_loopback, address, expected) => {
      const sign_in = [{ points: 2, seconds: 60 }]
      const { core, repeat, projectId, identity } = await limitedWorld({
        exempts_loopback,
        sign_in,
        email_signup: sign_in,
      })
      const { auth } = core
      expect((await repeat(3, () => auth.anonymous(projectId, address))).at(-1)).toBe(expected)
      const input = { provider: "idp_a", token: identity("idp_a", "ada") } as const
      expect((await repeat(3, () => auth.identities.social(projectId, input, address))).at(-1)).toBe(expected)
      const signup = (turn: number) =>
        auth.email.signup(projectId, { email: `user-${turn}@example.com`, password: "x" }, address)
      expect((await repeat(3, signup)).at(-1)).toBe("RATE_LIMIT_EXCEEDED")
    },
  )
})

describe("what one user writes [B14]", () => {
  it("may be 5,000 events in ten seconds, each call whole or not at all", async () => {
    const { core, outcome, repeat, projectId, anonymous, read, world } = await limitedWorld()
    const { user } = await anonymous()
    const write = (count: number, userId = user.id) =>
      core.events.recordOwn(projectId, userId, { events: Array(count).fill({ event_name: "lesson" }) })
    expect(countOf(await repeat(49, () => write(100)))).toEqual({ ok: 49 })
    expect(await repeat(3, (turn) => write([60, 60, 40][turn] ?? 0))).toEqual(["ok", "RATE_LIMIT_EXCEEDED", "ok"])
    expect(await outcome(write(1))).toBe("RATE_LIMIT_EXCEEDED")
    expect(await outcome(write(1, (await anonymous()).user.id))).toBe("ok")
    await world.advance("10 seconds")
    expect(await outcome(write(100))).toBe("ok")
    const span = { since: new Date(0), until: new Date("2027-01-01") }
    expect(await read((db) => db.events.count(span))).toBe(5_101)
  })

  it("is counted for a logout too, when its token is good", async () => {
    const { core, repeat, projectId, anonymous } = await limitedWorld({ user_writes: [{ points: 2, seconds: 10 }] })
    const { refresh_token } = await anonymous()
    const logout = (token: string) => core.auth.sessions.logout(projectId, token)
    expect(await repeat(3, () => logout("none"))).toEqual(["ok", "ok", "ok"])
    expect(await repeat(3, () => logout(refresh_token))).toEqual(["ok", "ok", "RATE_LIMIT_EXCEEDED"])
  })
})

describe("what one user writes to a feature [I0.1]", () => {
  const limited = async (limits: Partial<LimitSettings> = {}) => {
    const world = await limitedWorld({ user_writes: [], ...limits })
    const write = (feature: string, userId = "ada") => world.core.limits.userWrite(world.projectId, userId, feature)
    const change = (changes: Parameters<Engagement["projects"]["update"]>[2]["limits"]) =>
      world.run(
        world.core.projects.update(world.projectId, world.ownerId, changes === undefined ? {} : { limits: changes }),
      )
    return { ...world, write, change }
  }

  it("may be 600 calls a minute, each feature and user apart", async () => {
    const { repeat, write, refusal, world } = await limited()
    expect(countOf(await repeat(601, () => write("groups")))).toEqual({ ok: 600, RATE_LIMIT_EXCEEDED: 1 })
    expect(await refusal(write("groups"))).toMatchObject({ details: { retry_after_seconds: 60 } })
    expect(await repeat(2, (turn) => write(turn === 0 ? "reviews" : "groups", turn === 0 ? "ada" : "bob"))).toEqual([
      "ok",
      "ok",
    ])
    await world.advance("1 minute")
    expect(await repeat(1, () => write("groups"))).toEqual(["ok"])
  })

  it("may be 20,000 calls a day", async () => {
    const { repeat, write, world } = await limited()
    for (let minute = 0; minute < 33; minute += 1) {
      await repeat(600, () => write("groups"))
      await world.advance("1 minute")
    }
    expect(countOf(await repeat(201, () => write("groups")))).toEqual({ ok: 200, RATE_LIMIT_EXCEEDED: 1 })
    await world.advance("1 minute")
    expect(countOf(await repeat(1, () => write("groups")))).toEqual({ RATE_LIMIT_EXCEEDED: 1 })
    await world.advance("24 hours")
    expect(countOf(await repeat(1, () => write("groups")))).toEqual({ ok: 1 })
  })

  it("counts nowhere what one of the limits refuses", async () => {
    const { core, repeat, projectId, world } = await limitedWorld({ user_writes: [{ points: 3, seconds: 10 }] })
    const write = () => core.limits.userWrite(projectId, "ada", "groups")
    expect(countOf(await repeat(700, write))).toEqual({ ok: 3, RATE_LIMIT_EXCEEDED: 697 })
    await world.advance("10 seconds")
    expect(countOf(await repeat(3, write))).toEqual({ ok: 3 })
  })

  it("is what the project says, from the next call here and within a second elsewhere", async () => {
    const { world, core, projectId, repeat, write, change } = await limited()
    const other = createEngagement(world.ports, { limits: { ...defaultLimits, user_writes: [] } })
    expect(await repeat(4, () => write("groups"))).toEqual(["ok", "ok", "ok", "ok"])
    expect((await change({ groups: { per_minute: 2 }, reviews: { per_day: 1 } })).limits).toEqual({
      groups: { per_minute: 2 },
      reviews: { per_day: 1 },
    })
    expect(await repeat(3, () => write("groups"))).toEqual(["ok", "ok", "RATE_LIMIT_EXCEEDED"])
    expect(await repeat(2, () => write("reviews"))).toEqual(["ok", "RATE_LIMIT_EXCEEDED"])
    expect(await repeat(1, () => write("media"))).toEqual(["ok"])
    await world.advance("1 second")
    expect(await repeat(1, () => other.limits.userWrite(projectId, "ada", "groups"))).toEqual(["RATE_LIMIT_EXCEEDED"])
    await change({ groups: null })
    expect(await repeat(5, () => core.limits.userWrite(projectId, "ada", "groups"))).toEqual(Array(5).fill("ok"))
    expect(await repeat(1, () => write("reviews"))).toEqual(["RATE_LIMIT_EXCEEDED"])
  })

  it("loses none of two changes that are made at once", async () => {
    const { change } = await limited()
    await Promise.all([change({ groups: { per_minute: 1 } }), change({ media: { per_day: 2 } })])
    expect((await change(undefined)).limits).toEqual({ groups: { per_minute: 1 }, media: { per_day: 2 } })
  })

  it.each([
    ["report", 60, "1 hour"],
    ["inviteTry", 20, "1 minute"],
  ] as const)("%s: %i in %s", async (name, points, window) => {
    const { core, projectId, repeat, world } = await limited()
    const call = (userId: string) => core.limits[name](projectId, userId)
    expect(countOf(await repeat(points + 1, () => call("ada")))).toEqual({ ok: points, RATE_LIMIT_EXCEEDED: 1 })
    expect(await repeat(1, () => call("bob"))).toEqual(["ok"])
    await world.advance(window)
    expect(await repeat(1, () => call("ada"))).toEqual(["ok"])
  })

  it.each([
    ["newGroup", 60, "1 hour"],
    ["newConversation", 120, "1 hour"],
    ["newMedia", 200, "24 hours"],
  ] as const)("%s: %i made in %s, and what is refused or could not be done is none", async (name, points, window) => {
    const { core, projectId, repeat, world } = await limited()
    const make = (userId: string) => core.limits[name](projectId, userId)(Effect.void)
    for (const failure of [new InvalidInput(), new TenantBusy()]) {
      const refused = await repeat(points + 1, () => core.limits[name](projectId, "ada")(Effect.fail(failure)))
      expect(countOf(refused)).toEqual({ [failure.code]: points + 1 })
    }
    expect(countOf(await repeat(points + 1, () => make("ada")))).toEqual({ ok: points, RATE_LIMIT_EXCEEDED: 1 })
    expect(await repeat(1, () => make("bob"))).toEqual(["ok"])
    await world.advance(window)
    expect(await repeat(1, () => make("ada"))).toEqual(["ok"])
  })

  it("no more are made at once than one after another", async () => {
    const { core, projectId, world } = await limited()
    let made = 0
    const make = core.limits.newGroup(
      projectId,
      "ada",
    )(
      Effect.andThen(
        Effect.promise(() => Promise.resolve()),
        Effect.sync(() => {
          made += 1
        }),
      ),
    )
    await world.run(
      Effect.all(
        Array.from({ length: 80 }, () => Effect.exit(make)),
        { concurrency: "unbounded" },
      ),
    )
    expect(made).toBe(60)
  })

  it("may be as many media a day as the project says", async () => {
    const { core, projectId, repeat, change } = await limited()
    await change({ media: { per_minute: 1, per_day: 3 } })
    const outcomes = await repeat(4, () => core.limits.newMedia(projectId, "ada")(Effect.void))
    expect(outcomes).toEqual(["ok", "ok", "ok", "RATE_LIMIT_EXCEEDED"])
  })
})

describe("limits that are off", () => {
  it("count nothing", async () => {
    const off = { login_per_email_and_address: [], login_per_email: [], login_per_address: [], refused_tokens: [] }
    const { core, repeat, login, projectId } = await limitedWorld({ ...off, sign_in: [] })
    expect(countOf(await repeat(400, () => login("wrong")))).toEqual({ INVALID_CREDENTIALS: 400 })
    expect(countOf(await repeat(80, () => core.auth.sessions.refresh(projectId, "guess", here)))).toEqual({
      INVALID_TOKEN: 80,
    })
  })
})
