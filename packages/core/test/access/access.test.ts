import { type TestWorld, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const everything = { limit: 1_000, offset: 0 }

const setUp = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const project = await world.aProjectWithOwner()
  const user = await world.aSignedInUser(project.projectId)
  return { world, ...project, ...user }
}

const session = (world: TestWorld, projectId: string, token: string) =>
  world.run(
    world.core.access.session(projectId, token).pipe(
      Effect.map(({ user_id }) => user_id),
      Effect.catch(({ code }) => Effect.succeed(code)),
    ),
  )

describe("a client key [B1]", () => {
  it("resolves to its project; unknown keys resolve to none", async () => {
    const { world, projectId, ownerId, clientKey } = await setUp()
    const { key } = await world.run(world.core.apiKeys.create(projectId, ownerId, { name: "second" }))
    const keys = [clientKey, key, "", "pk_", `${clientKey} `, clientKey.toLowerCase()]
    const found = await world.run(Effect.forEach(keys, world.core.access.projectOfKey))
    expect(found).toEqual([projectId, projectId, null, null, null, null])
  })

  it("is listed in full, newest first, and can be revoked", async () => {
    const { world, projectId, ownerId, clientKey } = await setUp()
    await world.advance("1 second")
    const second = await world.run(world.core.apiKeys.create(projectId, ownerId, {}))
    expect(second).toMatchObject({ name: null, key: expect.stringMatching(/^pk_[0-9A-Za-z]{32}$/) })
    const listed = await world.run(world.core.apiKeys.list(projectId, everything))
    expect(listed.rows.map(({ key }) => key)).toEqual([second.key, clientKey])
    await world.run(world.core.apiKeys.revoke(projectId, ownerId, second.id))
    await world.run(world.core.apiKeys.revoke(projectId, ownerId, second.id))
    expect((await world.run(world.core.apiKeys.list(projectId, everything))).total).toBe(1)
  })

  it("cannot be revoked from another project", async () => {
    const { world, projectId, clientKey } = await setUp()
    const other = await world.aProjectWithOwner()
    const [key] = (await world.run(world.core.apiKeys.list(projectId, everything))).rows
    await world.run(world.core.apiKeys.revoke(other.projectId, other.ownerId, key?.id ?? ""))
    await world.advance("10 seconds")
    expect(await world.run(world.core.access.projectOfKey(clientKey))).toBe(projectId)
  })
})

describe("what is remembered and not announced is at most five seconds old [B1]", () => {
  it("a removed key", async () => {
    const { world, projectId, ownerId } = await setUp()
    const { id, key } = await world.run(world.core.apiKeys.create(projectId, ownerId, {}))
    const projectOf = () => world.run(world.core.access.projectOfKey(key))
    expect(await projectOf()).toBe(projectId)
    await world.run(world.control.transact((db) => db.apiKeys.remove({ id })))
    await world.advance("4999 millis")
    expect(await projectOf()).toBe(projectId)
    await world.advance("1 milli")
    expect(await projectOf()).toBeNull()
  })

  it("an unknown key that is created later", async () => {
    const { world, projectId } = await setUp()
    const key = `pk_${"a".repeat(32)}`
    expect(await world.run(world.core.access.projectOfKey(key))).toBeNull()
    const row = { id: world.ports.ids.uuid(), project_id: projectId, name: null, key, created_at: world.clock.now() }
    await world.run(world.control.transact((db) => db.apiKeys.insert(row)))
    await world.advance("1 second")
    expect(await world.run(world.core.access.projectOfKey(key))).toBe(projectId)
  })

  it.each(["ended", "of a disabled user", "of a deleted user"])("a session %s", async (how) => {
    const { world, projectId, userId, sessionToken } = await setUp()
    expect(await session(world, projectId, sessionToken)).toBe(userId)
    const now = world.clock.now()
    await world.run(
      world.tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          if (how === "of a deleted user") yield* db.users.remove({ id: userId })
          else if (how === "of a disabled user") yield* db.users.update(userId, { is_disabled: true })
          else {
            const [family] = yield* db.authSessions.families.list({ owner_id: userId }, [])
            yield* db.authSessions.families.update(family?.id ?? "", { revoked_at: now })
          }
        }),
      ),
    )
    await world.advance("4999 millis")
    expect(await session(world, projectId, sessionToken)).toBe(userId)
    await world.advance("1 milli")
    expect(await session(world, projectId, sessionToken)).toBe("INVALID_TOKEN")
  })

  it("is looked up once for many callers at the same time, and eight keys at once at the most", async () => {
    const counts = { running: 0, most: 0, all: 0 }
    const world = testWorld({
      ports: ({ control }) => ({
        control: {
          ...control,
          read: (work) =>
            Effect.suspend(() => {
              counts.running += 1
              counts.all += 1
              counts.most = Math.max(counts.most, counts.running)
              return Effect.ensuring(
                Effect.andThen(Effect.yieldNow, control.read(work)),
                Effect.sync(() => {
                  counts.running -= 1
                }),
              )
            }),
        },
      }),
    })
    const { clientKey, projectId } = await world.aProjectWithOwner()
    const together = { concurrency: "unbounded" } as const
    counts.all = 0
    const same = Array.from({ length: 100 }, () => world.core.access.projectOfKey(clientKey))
    expect(new Set(await world.run(Effect.all(same, together)))).toEqual(new Set([projectId]))
    expect(counts.all).toBe(1)
    const different = Array.from({ length: 100 }, (_, n) => world.core.access.projectOfKey(`pk_${n}`))
    await world.run(Effect.all(different, together))
    expect([counts.all, counts.most]).toEqual([101, 8])
  })

  it("needs no query for every request", async () => {
    let queries = 0
    const world = testWorld({
      ports: ({ control }) => ({
        control: {
          ...control,
          read: (work) => {
            queries += 1
            return control.read(work)
          },
        },
      }),
    })
    const { clientKey } = await world.aProjectWithOwner()
    const before = queries
    for (let request = 0; request < 100; request += 1) await world.run(world.core.access.projectOfKey(clientKey))
    expect(queries - before).toBe(1)
  })
})

describe("a session token [B1, B5]", () => {
  it("is its user's, in its project, for an hour", async () => {
    const { world, projectId, userId, sessionToken } = await setUp()
    const caller = await world.run(world.core.access.session(projectId, sessionToken))
    expect(caller).toMatchObject({ project_id: projectId, user_id: userId })
    await world.advance("59 minutes")
    expect(await session(world, projectId, sessionToken)).toBe(userId)
    await world.advance("1 minute")
    expect(await session(world, projectId, sessionToken)).toBe("INVALID_TOKEN")
  })

  it("of another project is refused", async () => {
    const { world, projectId, sessionToken } = await setUp()
    const other = await world.aProjectWithOwner()
    const theirs = await world.aSignedInUser(other.projectId)
    expect(await session(world, projectId, theirs.sessionToken)).toBe("INVALID_TOKEN")
    expect(await session(world, other.projectId, sessionToken)).toBe("INVALID_TOKEN")
    // The token names its project, so no database is queried.
    world.tenants.unreachable(other.projectId, true)
    expect(await session(world, other.projectId, sessionToken)).toBe("INVALID_TOKEN")
  })

  it("is refused when it is a refresh token, a developer's token or anything else", async () => {
    const { world, projectId, sessionToken, refreshToken } = await setUp()
    const signup = { email: "ada@example.com", password: "correct horse" }
    const developer = await world.run(world.core.developers.signup(signup))
    const tampered = `${sessionToken.slice(0, -4)}AAAA`
    for (const token of [refreshToken, developer.access_token, developer.refresh_token, tampered, "", "null"]) {
      expect(await session(world, projectId, token)).toBe("INVALID_TOKEN")
    }
  })

  it("fails with TENANT_UNAVAILABLE when the database cannot be reached", async () => {
    const { world, projectId, sessionToken } = await setUp()
    world.tenants.unreachable(projectId, true)
    expect(await session(world, projectId, sessionToken)).toBe("TENANT_UNAVAILABLE")
    world.tenants.unreachable(projectId, false)
    expect(await session(world, projectId, sessionToken)).not.toBe("TENANT_UNAVAILABLE")
  })
})

describe("a developer's token [B2]", () => {
  it("lasts 15 minutes, and no token of a user passes for it", async () => {
    const { world, sessionToken, refreshToken } = await setUp()
    const signup = { email: "ada@example.com", password: "correct horse" }
    const { access_token, refresh_token, developer } = await world.run(world.core.developers.signup(signup))
    expect(await world.run(world.core.access.developer(access_token))).toMatchObject({ developer_id: developer.id })
    for (const token of [refresh_token, sessionToken, refreshToken, ""]) {
      expect(await world.run(Effect.flip(world.core.access.developer(token)))).toMatchObject({ code: "UNAUTHORIZED" })
    }
    await world.advance("15 minutes")
    expect(await world.run(Effect.flip(world.core.access.developer(access_token)))).toMatchObject({
      code: "UNAUTHORIZED",
    })
  })

  it("gives no role in an unknown project, nor in another developer's", async () => {
    const { world, projectId, ownerId } = await setUp()
    const other = await world.aProjectWithOwner()
    const roleIn = (project: string) => world.run(world.core.access.roleIn(project, ownerId))
    expect(await roleIn(projectId)).toBe("owner")
    expect(await roleIn(other.projectId)).toBeNull()
    expect(await roleIn(world.ports.ids.uuid())).toBeNull()
  })

  it("gives no role for a malformed project id, even one that contains a project and its owner", async () => {
    const { world, projectId, ownerId } = await setUp()
    const other = await world.aProjectWithOwner()
    for (const path of [`${projectId}/${ownerId}`, "", "null", `["${projectId}","${ownerId}"]`, `${projectId}%00`]) {
      expect(await world.run(world.core.access.roleIn(path, other.ownerId))).toBeNull()
    }
  })
})

describe("a caller whose token has expired since", () => {
  it("is one as long as the session is live", async () => {
    const { world, projectId, sessionToken, refreshToken } = await setUp()
    const { access, auth, developers } = world.core
    const caller = await world.run(access.session(projectId, sessionToken))
    const account = { email: "dev@example.com", password: "a long password" }
    const { access_token, refresh_token } = await world.run(developers.signup(account))
    const developer = await world.run(access.developer(access_token))
    await world.advance("1 day")
    expect(await session(world, projectId, sessionToken)).toBe("INVALID_TOKEN")
    expect(await world.run(access.liveSession(caller))).toBe(caller)
    expect(await world.run(access.liveDeveloper(developer))).toBe(developer)
    await world.run(auth.sessions.logout(projectId, refreshToken))
    expect(await world.run(Effect.flip(access.liveSession(caller)))).toMatchObject({ code: "INVALID_TOKEN" })
    await world.run(developers.logout(refresh_token))
    expect(await world.run(Effect.flip(access.liveDeveloper(developer)))).toMatchObject({ code: "UNAUTHORIZED" })
  })
})
