import { createEngagement, type Engagement } from "@hearth/core"
import { type TestWorld, testWorld } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"

const ada = { email: "ada@example.com", password: "correct horse" }

/** A project with an admin and a user, beside its owner. */
const setUp = async (world: TestWorld = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })) => {
  const project = await world.aProjectWithOwner()
  const user = await world.aSignedInUser(project.projectId)
  const { developer, ...admin } = await world.run(world.core.developers.signup(ada))
  const { projectId, ownerId } = project
  await world.run(world.core.members.create(projectId, ownerId, { email: ada.email, role: "admin" }))
  const { sid } = await world.run(world.ports.tokens.verify("session", user.sessionToken))
  const [key] = (await world.run(world.core.apiKeys.list(projectId, { limit: 1, offset: 0 }))).rows
  return { world, ...project, ...user, adminId: developer.id, admin, sid, keyId: key?.id ?? "" }
}
type Subject = Awaited<ReturnType<typeof setUp>>

/** The role of the admin. */
const role =
  ({ projectId, adminId }: Subject) =>
  (core: Engagement) =>
    core.access.roleIn(projectId, adminId)

/** The project of the client key. */
const keyProject =
  ({ clientKey }: Subject) =>
  (core: Engagement) =>
    core.access.projectOfKey(clientKey)

/** The user of the session token; null where it is refused. */
const caller =
  ({ projectId, sessionToken }: Subject) =>
  (core: Engagement) =>
    core.access.session(projectId, sessionToken).pipe(
      Effect.map(({ user_id }): string | null => user_id),
      Effect.orElseSucceed(() => null),
    )

/** The developer of the admin's access token; null where it is refused. */
const developer =
  ({ admin }: Subject) =>
  (core: Engagement) =>
    core.access.developer(admin.access_token).pipe(
      Effect.map(({ developer_id }): string | null => developer_id),
      Effect.orElseSucceed(() => null),
    )

type Read = (subject: Subject) => (core: Engagement) => Effect.Effect<string | null>

interface Kind {
  readonly name: string
  readonly read: Read
  /** What is read after the change. */
  readonly after: string | null
  readonly change: (subject: Subject) => Effect.Effect<unknown, unknown>
}

const kinds: ReadonlyArray<Kind> = [
  {
    name: "a role that is lowered",
    read: role,
    after: "viewer",
    change: ({ world, projectId, ownerId, adminId }) =>
      world.core.members.update(projectId, ownerId, adminId, { role: "viewer" }),
  },
  {
    name: "a role that is given again by an invitation",
    read: role,
    after: "viewer",
    change: ({ world, projectId, ownerId }) =>
      world.core.members.create(projectId, ownerId, { email: ada.email, role: "viewer" }),
  },
  {
    name: "a member who is removed",
    read: role,
    after: null,
    change: ({ world, projectId, ownerId, adminId }) => world.core.members.remove(projectId, ownerId, adminId),
  },
  {
    name: "a key that is revoked",
    read: keyProject,
    after: null,
    change: ({ world, projectId, ownerId, keyId }) => world.core.apiKeys.revoke(projectId, ownerId, keyId),
  },
  {
    name: "a session that is logged out",
    read: caller,
    after: null,
    change: ({ world, projectId, refreshToken }) => world.core.auth.sessions.logout(projectId, refreshToken),
  },
  {
    name: "a session that its user ends",
    read: caller,
    after: null,
    change: ({ world, projectId, userId, sid }) => world.core.auth.sessions.revoke(projectId, userId, sid),
  },
  {
    name: "a session whose refresh token is used again",
    read: caller,
    after: null,
    change: ({ world, projectId, refreshToken, sessionToken }) =>
      Effect.gen(function* () {
        yield* world.core.auth.sessions.refresh(projectId, refreshToken)
        yield* Effect.promise(() => world.advance("11 seconds"))
        // Remembered again, at the time of the reuse.
        yield* world.core.access.session(projectId, sessionToken)
        yield* Effect.flip(world.core.auth.sessions.refresh(projectId, refreshToken))
      }),
  },
  {
    name: "a developer's session that is logged out",
    read: developer,
    after: null,
    change: ({ world, admin }) => world.core.developers.logout(admin.refresh_token),
  },
  {
    name: "a developer's session whose refresh token is used again",
    read: developer,
    after: null,
    change: ({ world, admin }) =>
      Effect.gen(function* () {
        yield* world.core.developers.refresh(admin.refresh_token)
        yield* Effect.promise(() => world.advance("11 seconds"))
        yield* world.core.access.developer(admin.access_token)
        yield* Effect.flip(world.core.developers.refresh(admin.refresh_token))
      }),
  },
  {
    name: "a user who is disabled",
    read: caller,
    after: null,
    change: ({ world, projectId, userId }) => world.core.users.change(projectId, userId, { is_disabled: true }),
  },
  {
    name: "a user who is deleted",
    read: caller,
    after: null,
    change: ({ world, projectId, userId }) => world.core.users.remove(projectId, userId),
  },
  ...[role, keyProject, caller].map((read) => ({
    name: `a project that is removed (${read.name})`,
    read,
    after: null,
    change: ({ world, projectId, ownerId }: Subject) => world.core.projects.remove(projectId, ownerId),
  })),
]

describe("what is revoked [B1]", () => {
  it.each(kinds)("holds from the next request here, and within a second elsewhere: $name", async (kind) => {
    const subject = await setUp()
    const { world } = subject
    const other = world.otherProcess()
    const read = kind.read(subject)
    expect(await world.run(read(world.core))).not.toBe(kind.after)
    expect(await world.run(read(other))).not.toBe(kind.after)
    await world.run(kind.change(subject))
    expect(await world.run(read(world.core))).toBe(kind.after)
    await world.advance("1 second")
    expect(await world.run(read(other))).toBe(kind.after)
  })

  it("holds for every service of the process", async () => {
    const subject = await setUp()
    const { world, projectId, userId } = subject
    const another = createEngagement(world.ports)
    expect(await world.run(caller(subject)(another))).toBe(userId)
    await world.run(world.core.users.remove(projectId, userId))
    expect(await world.run(caller(subject)(another))).toBeNull()
  })

  // An invitation knows the developer only by its answer; PostgreSQL tells of it in the transaction. The sessions of a hidden
  // project are refused by its key.
  const direct = kinds.filter(({ name }) => !/invitation|used again|\(caller\)/.test(name))
  it.each(direct)("holds at once also where the answer to the commit is lost: $name", async (kind) => {
    let isLosing = false
    const world = testWorld({
      ports: ({ control, tenants }) => {
        const lose = <A, E>(work: Effect.Effect<A, E>) =>
          isLosing ? Effect.andThen(work, Effect.die(new Error("The answer is lost."))) : work
        return {
          // What is of users is kept in their project; before it changes, work is noted in the control database.
          control: {
            ...control,
            transact: (work) => (kind.read === caller ? control.transact(work) : lose(control.transact(work))),
          },
          tenants: { ...tenants, transact: (projectId, work) => lose(tenants.transact(projectId, work)) },
        }
      },
    })
    const subject = await setUp(world)
    const read = kind.read(subject)
    expect(await world.run(read(world.core))).not.toBe(kind.after)
    // So that the project is marked pending by now, and the first answer that is lost is that of the change itself.
    await world.run(world.core.events.recordOwn(subject.projectId, subject.userId, { event_name: "opened" }))
    isLosing = true
    expect(Exit.isFailure(await world.run(Effect.exit(kind.change(subject))))).toBe(true)
    expect(await world.run(read(world.core))).toBe(kind.after)
  })

  it("holds within a second in a process that cannot be told", async () => {
    const subject = await setUp()
    const { world, userId } = subject
    const other = world.otherProcess()
    world.revocations.makeDeaf(true)
    expect(await world.run(caller(subject)(world.core))).toBe(userId)
    await world.run(other.users.remove(subject.projectId, userId))
    await world.advance("999 millis")
    expect(await world.run(caller(subject)(world.core))).toBe(userId)
    await world.advance("1 milli")
    expect(await world.run(caller(subject)(world.core))).toBeNull()
  })
})
