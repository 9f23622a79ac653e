import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Ports } from "@hearth/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { createPostgresEngagement, generateSecretKey, type PostgresEngagementOptions } from "../../src/index.ts"
import { type TestServer, testServer } from "../postgres/server.ts"

let server: TestServer
let dataDir: string
let options: PostgresEngagementOptions

beforeAll(async () => {
  server = testServer()
  dataDir = await mkdtemp(join(tmpdir(), "hearth-embedded-"))
  const { controlDatabase, prefix: tenantPrefix } = server
  options = { databaseUrl: server.urlOf("postgres"), dataDir, postgres: { controlDatabase, tenantPrefix } }
})
afterAll(async () => {
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
})

const account = { email: "you@example.com", password: "a long password" }

describe("the service on PostgreSQL in one call", () => {
  it("counts a streak in the background, and knows its sessions and secrets after a restart", async () => {
    const first = await createPostgresEngagement(options)
    const { core, run } = first
    const worker = await first.startBackground()
    const { developer } = await run(core.developers.signup(account))
    const project = await run(core.projects.create(developer.id, { name: "My app" }))
    await run(
      core.streaks.create(project.id, {
        ...{ name: "Daily lesson", description: null, qualifying_event: "lesson", period: "daily" },
        ...{ grace_period_hours: 0, freeze_enabled: false, max_freezes: 1, freezes_per_n_events: null },
      }),
    )
    const { user, refresh_token } = await run(core.auth.anonymous(project.id))
    await run(core.events.recordOwn(project.id, user.id, { event_name: "lesson" }))
    const own = () => run(core.streaks.own(project.id, user.id))
    await vi.waitFor(async () => expect(await own()).toMatchObject([{ current_count: 1 }]), 20_000)
    await worker.drain()
    await first.close()
    expect((await readdir(dataDir)).sort()).toEqual(["secrets-key", "token-keys.json"])

    const second = await createPostgresEngagement(options)
    const again = await second.run(second.core.auth.sessions.refresh(project.id, refresh_token, null))
    expect(again.session_token).not.toBe("")
    await second.close()
  })

  it("keeps its mails where there is no mail server, and takes ports in the place of its own", async () => {
    const email = "ada@example.com"
    const kept = await createPostgresEngagement(options)
    const { developer } = await kept.run(kept.core.developers.signup({ ...account, email }))
    const project = await kept.run(kept.core.projects.create(developer.id, { name: "Mails" }))
    await kept.run(kept.core.auth.magicLinks.request(project.id, email, null))
    expect(kept.sentMails()).toMatchObject([{ to: email }])
    await kept.close()

    const sent: Array<string> = []
    const mailer: Ports["mailer"] = { send: ({ to }) => Effect.sync(() => void sent.push(to)) }
    for (const ports of [{ mailer }, () => ({ mailer })]) {
      const replaced = await createPostgresEngagement({ ...options, smtpUrl: undefined, ports })
      await replaced.run(replaced.core.auth.magicLinks.request(project.id, email, null))
      expect(sent.splice(0)).toEqual([email])
      expect(replaced.sentMails()).toEqual([])
      await replaced.close()
    }
  })

  it("opens nothing with an option or a port that there is not, or with a port that is undefined", async () => {
    const wrong: ReadonlyArray<readonly [object, RegExp]> = [
      [{ smtpURL: "smtp://mail.example" }, /There is no option smtpURL: it is one of .*smtpUrl/],
      [{ pushBUrl: null }, /There is no option pushBUrl/],
      [{ postgres: { tenantsPrefix: "t" } }, /There is no option postgres\.tenantsPrefix: .* postgres\.tenantPrefix/],
      [{ lifetimes: { access: "1 hour" } }, /There is no option lifetimes\.access: it is one of lifetimes\.session/],
      [{ lifetimes: { session: "1h" } }, /lifetimes\.session must be a time like "1 hour", .*: "1h" is none/],
      [{ passwords: "bcrypt" }, /passwords must be an object of passwords\.algorithm/],
      [{ providers: { idp_c: {} } }, /There is no option providers\.idp_c/],
      [{ pushAddresses: { push_a: null } }, /There is nothing at these options: pushAddresses\.push_b/],
      [{ media: { maxByte: 1 } }, /There is no option media\.maxByte/],
      [{ ports: { mailler: {} } }, /There is no port mailler: it is one of .*mailer/],
      [{ ports: () => ({ mailler: {} }) }, /There is no port mailler/],
      [{ ports: async () => ({}) }, /Ports are given at once: what was given is a promise/],
      [{ ports: { mailer: undefined } }, /There is nothing at these ports: mailer/],
    ]
    for (const [option, sentence] of wrong)
      await expect(createPostgresEngagement({ ...options, ...option })).rejects.toThrow(sentence)
    await expect(Reflect.apply(createPostgresEngagement, null, [])).rejects.toThrow(/The options must be an object of/)
  })

  it("opens nothing with an option that is of another kind", async () => {
    const wrong: ReadonlyArray<readonly [object, RegExp]> = [
      [{ passwords: { algorithm: "md5" } }, /passwords\.algorithm must be argon2id or bcrypt: it is "md5"/],
      [{ passwords: { concurrency: 0 } }, /passwords\.concurrency must be a whole number of at least 1: it is 0/],
      [{ passwords: { waiting: -1 } }, /passwords\.waiting must be a whole number of at least 0: it is -1/],
      [
        { postgres: { connectionsPerTenant: 0 } },
        /postgres\.connectionsPerTenant must be a whole number of at least 1/,
      ],
      [{ postgres: { tenantConnections: "8" } }, /postgres\.tenantConnections must be .*: it is a text/],
      [{ postgres: { tenantPrefix: 1 } }, /postgres\.tenantPrefix must be a text: it is 1/],
      [{ hosts: "hearth.example" }, /hosts must be a list: it is a text/],
      [{ isOnlyProcess: "false" }, /isOnlyProcess must be true or false: it is a text/],
      [{ log: console }, /log must be a function: it is an object/],
      [{ signals: () => {} }, /signals must be an object: it is a function/],
      [{ secretKeys: ["top secret"] }, /secretKeys must be a text: it is a list\.$/],
    ]
    for (const [option, sentence] of wrong) {
      const opening = createPostgresEngagement({ ...options, ...option })
      await expect(opening).rejects.toThrow(sentence)
      await expect(opening).rejects.toThrow(TypeError)
    }
  })

  it("tells what is no effect, and what it is", async () => {
    const { run, close } = await createPostgresEngagement(options)
    await expect(run(undefined as never)).rejects.toThrow(/What is run is an effect, .*: this is undefined/)
    await close()
  })

  it("is in the time of a clock that it is given, its tokens too, and takes none from a function", async () => {
    const clock = { now: () => new Date("2041-01-01T00:00:00.000Z") }
    const { core, run, close } = await createPostgresEngagement({ ...options, ports: { clock } })
    const { developer } = await run(core.developers.signup({ ...account, email: "later@example.com" }))
    const { id } = await run(core.projects.create(developer.id, { name: "Later" }))
    const { refresh_token, user } = await run(core.auth.anonymous(id))
    expect(user.created_at).toEqual(clock.now())
    expect((await run(core.auth.sessions.refresh(id, refresh_token))).refresh_token).not.toBe(refresh_token)
    await close()
    const opening = createPostgresEngagement({ ...options, ports: () => ({ clock }) })
    await expect(opening).rejects.toThrow("A clock is given as ports: { clock }")
  })

  it("starts no background work once it is closed", async () => {
    const { startBackground, close } = await createPostgresEngagement(options)
    await close()
    await expect(startBackground()).rejects.toThrow("The service is closed")
  })

  it("ends the streams that are open when it closes: they would ask the databases for more for ever", async () => {
    const { core, run, close } = await createPostgresEngagement(options)
    const { developer } = await run(core.developers.signup({ ...account, email: "live@example.com" }))
    const project = await run(core.projects.create(developer.id, { name: "Live" }))
    const { user } = await run(core.auth.anonymous(project.id))
    const listening = { user_id: user.id, session_id: user.id, expires_at: new Date(Date.now() + 3_600_000) }
    const stream = await run(core.live.ofUser(project.id, listening))
    await close()
    const last = (await stream.next())?.at(-1)
    expect(last).toMatchObject({ name: "end", data: JSON.stringify({ reason: "stopping" }) })
    expect([core.live.count(), await stream.next()]).toEqual([0, null])
  })

  it("finds no project of an unknown or malformed id", async () => {
    const { core, run, close } = await createPostgresEngagement(options)
    for (const id of ["018f0000-0000-7000-8000-000000000000", "no project"]) {
      expect(await run(Effect.flip(core.streaks.list(id)))).toMatchObject({ code: "NOT_FOUND" })
      expect(await run(Effect.flip(core.auth.anonymous(id)))).toMatchObject({ code: "NOT_FOUND" })
      expect(await run(Effect.flip(core.users.list(id)))).toMatchObject({ code: "NOT_FOUND" })
    }
    await close()
  })

  it("rejects with all addresses that do not do, and without their passwords", async () => {
    const addresses = { redisUrl: "localhost", smtpUrl: "http://x:secret@y", storageUrl: "media", mailFrom: "nobody" }
    for (const databaseUrl of ["", "mysql://ann:secret@db/hearth", undefined]) {
      const given = { ...options, ...addresses, databaseUrl } as PostgresEngagementOptions
      const error = await createPostgresEngagement(given).catch((cause: unknown) => cause)
      const lines = (error as Error).message.split("\n").map((line) => line.split(/[: ]/)[0])
      expect(lines.sort()).toEqual(["databaseUrl", "mailFrom", "redisUrl", "smtpUrl", "storageUrl"])
      expect(String(error)).not.toContain("secret")
    }
    const empty = { redisUrl: "", smtpUrl: "", storageUrl: "", mailFrom: "" }
    const hearth = await createPostgresEngagement({ ...options, ...empty })
    expect(hearth.sentMails()).toEqual([])
    await hearth.close()
  })

  it("rejects with a sentence, and leaves no connection open", async () => {
    const unreachable = { ...options, databaseUrl: "postgres://nobody@127.0.0.1:1/postgres" }
    await expect(createPostgresEngagement(unreachable)).rejects.toThrow(/127\.0\.0\.1:1|ECONNREFUSED/)
    await expect(createPostgresEngagement({ ...options, mailFrom: "nobody" })).rejects.toThrow("mailFrom: must be")
    await expect(createPostgresEngagement({ ...options, secretKeys: "short" })).rejects.toThrow("key 1 is none")
    await vi.waitFor(async () => expect(await server.connections()).toBe(0), 20_000)
    const other = await createPostgresEngagement({ ...options, secretKeys: generateSecretKey() })
    await other.close()
  })
})
