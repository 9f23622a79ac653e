import { type AnyWorkflow, createEngagement, type Engagement, TenantUnavailable } from "@hearth/core"
import { defaultLimits } from "@hearth/core/limits"
import type { NewProject } from "@hearth/core/projects"
import { systemSegments } from "@hearth/core/segments"
import { type TestWorld, testWorld } from "@hearth/testing"
import { Effect, Exit, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { fault } from "../faults.ts"

const input: NewProject = {
  name: "Tracker",
  bundle_id: "com.example.tracker",
  oauth_client_id: null,
  allowed_origins: ["https://app.example"],
  mau_cap: 100,
}
const everything = { limit: 1_000, offset: 0 }

const aDeveloperIn = async (world: TestWorld) => {
  const signup = { email: `${world.ports.ids.base62(8)}@example.com`, password: "correct horse" }
  return (await world.run(world.core.developers.signup(signup))).developer.id
}

const projectsIn = (world: TestWorld) => world.run(world.control.read((db) => db.projects.list({}, [])))

/** What a project's database answers; the code of the failure where there is none. */
const databaseOf = (world: TestWorld, projectId: string) =>
  world.run(
    world.tenants
      .read(projectId, (db) => db.segments.list({}, [["created_at", "asc"]]))
      .pipe(Effect.catch(({ code }) => Effect.succeed(code))),
  )

describe("creating a project [C2]", () => {
  it("answers a project that can be used at once", async () => {
    const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
    const developerId = await aDeveloperIn(world)
    const project = await world.run(world.core.projects.create(developerId, input))
    expect(project).toMatchObject({
      ...input,
      id: expect.any(String),
      created_at: new Date("2026-03-01T12:00:00.000Z"),
      updated_at: new Date("2026-03-01T12:00:00.000Z"),
      client_api_key: expect.stringMatching(/^pk_[0-9A-Za-z]{32}$/),
    })
    expect(await world.run(world.core.projects.get(project.id))).toMatchObject(input)
    expect(await world.run(world.core.access.roleIn(project.id, developerId))).toBe("owner")
    expect(await world.run(world.core.access.projectOfKey(project.client_api_key))).toBe(project.id)
    expect((await world.run(world.core.auth.anonymous(project.id))).user.email).toBeNull()
  })

  it("creates the system segments [C4]", async () => {
    const world = testWorld()
    const { projectId } = await world.aProjectWithOwner()
    const segments = await databaseOf(world, projectId)
    expect(segments).toEqual(
      systemSegments.map((segment) => expect.objectContaining({ ...segment, is_system: true, user_count: 0 })),
    )
  })

  it("keeps the users of projects apart", async () => {
    const world = testWorld()
    const one = await world.aProjectWithOwner()
    const other = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(one.projectId)
    expect(await world.run(Effect.flip(world.core.users.get(other.projectId, userId)))).toMatchObject({
      code: "NOT_FOUND",
    })
  })
})

describe("a creation that fails leaves neither row nor database [C2]", () => {
  it.each(["create", "transact"] as const)("in tenants.%s", async (method) => {
    const broken = fault()
    const world = testWorld({
      ports: ({ tenants }) => ({
        tenants: {
          ...tenants,
          [method]: (...given: ReadonlyArray<never>) =>
            broken.shouldFail()
              ? Effect.die("broken")
              : (tenants[method] as (...all: typeof given) => unknown)(...given),
        },
      }),
    })
    const developerId = await aDeveloperIn(world)
    broken.arm()
    const exit = await world.run(Effect.exit(world.core.projects.create(developerId, input)))
    expect(Exit.hasDies(exit)).toBe(true)
    expect(await projectsIn(world)).toEqual([])
    expect(await world.run(world.core.projects.list(developerId, everything))).toEqual({ rows: [], total: 0 })

    const { id } = await world.run(world.core.projects.create(developerId, input))
    expect(await databaseOf(world, id)).toHaveLength(4)
  })

  it("and says so where the new database does not answer", async () => {
    const broken = fault()
    const lost = new TenantUnavailable({ outcome: "unknown" })
    const world = testWorld({
      ports: ({ tenants }) => ({
        tenants: {
          ...tenants,
          transact: (projectId, work, options) =>
            tenants
              .transact(projectId, work, options)
              .pipe(Effect.andThen((done) => (broken.shouldFail() ? Effect.fail(lost) : Effect.succeed(done)))),
        },
      }),
    })
    const developerId = await aDeveloperIn(world)
    broken.arm()
    const failure = await world.run(Effect.flip(world.core.projects.create(developerId, input)))
    // Not "unknown": nothing is left.
    expect(failure).toMatchObject({ code: "TENANT_BUSY", details: { retry_after_seconds: 5 } })
    expect(await projectsIn(world)).toEqual([])
    const { id } = await world.run(world.core.projects.create(developerId, input))
    expect(await databaseOf(world, id)).toHaveLength(4)
  })

  it("when the caller disconnects", async () => {
    let reached: (projectId: string) => void = () => {}
    const created = new Promise<string>((resolve) => {
      reached = resolve
    })
    const world = testWorld({
      ports: ({ tenants }) => ({
        tenants: {
          ...tenants,
          create: (projectId) =>
            tenants
              .create(projectId)
              .pipe(Effect.andThen(Effect.sync(() => reached(projectId))), Effect.andThen(Effect.never)),
        },
      }),
    })
    const developerId = await aDeveloperIn(world)
    const fiber = await world.run(Effect.forkDetach(world.core.projects.create(developerId, input)))
    const projectId = await created
    await world.run(Fiber.interrupt(fiber))
    expect(await projectsIn(world)).toEqual([])
    expect(await databaseOf(world, projectId)).toBe("TENANT_UNAVAILABLE")
  })
})

describe("how many projects a developer creates", () => {
  const codeOf = (world: TestWorld, core: Engagement, developerId: string) =>
    world.run(
      Effect.match(core.projects.create(developerId, input), {
        onFailure: ({ code }) => code,
        onSuccess: () => "made",
      }),
    )

  it("is limited to 20 a minute and 200 a day [B14]", async () => {
    const world = testWorld()
    const [developerId, other] = [await aDeveloperIn(world), await aDeveloperIn(world)]
    const create = () => codeOf(world, world.core, developerId)
    const createMany = async (count: number) => {
      const codes: Array<string> = []
      for (let turn = 0; turn < count; turn += 1) codes.push(await create())
      return new Set(codes)
    }
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await createMany(20)).toEqual(new Set(["made"]))
      expect(await create()).toBe("RATE_LIMIT_EXCEEDED")
      world.clock.advance(60_000)
    }
    expect(await create()).toBe("RATE_LIMIT_EXCEEDED")
    expect(await codeOf(world, world.core, other)).toBe("made")
    const before = await projectsIn(world)
    expect(before).toHaveLength(201)
    world.clock.advance(86_400_000)
    expect(await create()).toBe("made")
  })

  it("is bounded by the quota of projects that one owns, also when they are created at once", async () => {
    const world = testWorld()
    const core = createEngagement(world.ports, { limits: { ...defaultLimits, owned_projects: 3 } })
    const [developerId, other] = [await aDeveloperIn(world), await aDeveloperIn(world)]
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(world, core, developerId)))
    expect(codes.toSorted()).toEqual([...Array(5).fill("QUOTA_EXCEEDED"), ...Array(3).fill("made")])
    expect(await world.run(Effect.flip(core.projects.create(developerId, input)))).toMatchObject({
      kind: "conflict",
      details: { limit: 3 },
    })
    expect(await projectsIn(world)).toHaveLength(3)
    const [project] = await projectsIn(world)
    // Being a member of somebody else's project costs nothing.
    expect(await codeOf(world, core, other)).toBe("made")
    await world.run(core.projects.remove(project?.id ?? "", developerId))
    expect(await codeOf(world, core, developerId)).toBe("made")
    expect(await codeOf(world, core, developerId)).toBe("QUOTA_EXCEEDED")
  })

  it("does not count a project whose creation failed", async () => {
    let isBroken = true
    const world = testWorld({
      ports: ({ tenants }) => ({
        tenants: { ...tenants, create: (id) => (isBroken ? Effect.die("broken") : tenants.create(id)) },
      }),
    })
    const core = createEngagement(world.ports, { limits: { ...defaultLimits, owned_projects: 1 } })
    const developerId = await aDeveloperIn(world)
    expect(Exit.isFailure(await world.run(Effect.exit(core.projects.create(developerId, input))))).toBe(true)
    isBroken = false
    expect(await codeOf(world, core, developerId)).toBe("made")
  })
})

describe("a project left over by an interrupted creation or removal", () => {
  const hideProject = async (world: TestWorld) => {
    const { projectId, clientKey, ownerId } = await world.aProjectWithOwner()
    await world.run(
      world.control.transact((db) => db.projects.update(projectId, { is_ready: false, updated_at: world.clock.now() })),
    )
    await world.run(world.revocations.announce([projectId]))
    return { projectId, clientKey, ownerId }
  }

  it("is not shown to anybody", async () => {
    const world = testWorld()
    const { projectId, clientKey, ownerId } = await hideProject(world)
    expect(await world.run(Effect.flip(world.core.projects.get(projectId)))).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(world.core.projects.list(ownerId, everything))).toEqual({ rows: [], total: 0 })
    expect(await world.run(world.core.access.roleIn(projectId, ownerId))).toBeNull()
    expect(await world.run(world.core.access.projectOfKey(clientKey))).toBeNull()
  })

  it("is erased after ten minutes, and not before: the call may still be running", async () => {
    const world = testWorld()
    const { projectId } = await hideProject(world)
    await world.advance("10 minutes")
    expect(await projectsIn(world)).toHaveLength(1)
    await world.advance("1 milli")
    expect(await projectsIn(world)).toEqual([])
    expect(await databaseOf(world, projectId)).toBe("TENANT_UNAVAILABLE")
  })

  it("does not block the others when it cannot be erased", async () => {
    const world = testWorld()
    const [stuck, other] = [await hideProject(world), await hideProject(world)]
    world.tenants.unreachable(stuck.projectId, true)
    await world.advance("11 minutes")
    expect((await projectsIn(world)).map(({ id }) => id)).toEqual([stuck.projectId])
    expect(world.signals.of("processing_failed")[0]).toMatchObject({ project_id: stuck.projectId })
    expect(await databaseOf(world, other.projectId)).toBe("TENANT_UNAVAILABLE")
    world.tenants.unreachable(stuck.projectId, false)
    await world.runPending()
    expect(await projectsIn(world)).toEqual([])
  })

  it("is left alone while its removal goes on, however old the project is, and erased when that died long ago", async () => {
    const broken = fault()
    const removing = Promise.withResolvers<void>()
    const world = testWorld({
      ports: ({ tenants }) => ({
        tenants: {
          ...tenants,
          drop: (projectId) =>
            broken.shouldFail()
              ? Effect.andThen(
                  Effect.sync(() => removing.resolve()),
                  Effect.never,
                )
              : tenants.drop(projectId),
        },
      }),
    })
    const { projectId, ownerId } = await world.aProjectWithOwner()
    await world.advance("30 days")
    broken.arm()
    const fiber = await world.run(Effect.forkDetach(world.core.projects.remove(projectId, ownerId)))
    await removing.promise
    await world.advance("9 minutes")
    await world.run(world.core.background.poll)
    expect(await databaseOf(world, projectId)).toHaveLength(4)
    await world.run(Fiber.interrupt(fiber))
    expect(await projectsIn(world)).toHaveLength(1)
    await world.advance("2 minutes")
    await world.run(world.core.background.poll)
    expect(await projectsIn(world)).toEqual([])
    expect(await databaseOf(world, projectId)).toBe("TENANT_UNAVAILABLE")
  })

  it("does not touch the projects that are ready", async () => {
    const world = testWorld()
    const { projectId } = await world.aProjectWithOwner()
    await world.advance("1 day")
    expect(await databaseOf(world, projectId)).toHaveLength(4)
  })
})

describe("changing a project [C1]", () => {
  it("changes the fields that are given, and leaves those that are not", async () => {
    const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
    const owner = await aDeveloperIn(world)
    const project = await world.run(world.core.projects.create(owner, input))
    await world.advance("1 hour")
    const changed = await world.run(world.core.projects.update(project.id, owner, { name: "Other", mau_cap: null }))
    expect(changed).toMatchObject({ ...input, name: "Other", mau_cap: null })
    expect(changed.created_at).toEqual(new Date("2026-03-01T12:00:00.000Z"))
    expect(changed.updated_at).toEqual(new Date("2026-03-01T13:00:00.000Z"))
  })

  it("returns it as it is when nothing is given [A5]", async () => {
    const world = testWorld()
    const { projectId, ownerId } = await world.aProjectWithOwner()
    const before = await world.run(world.core.projects.get(projectId))
    await world.advance("1 hour")
    expect(await world.run(world.core.projects.update(projectId, ownerId, {}))).toEqual(before)
  })
})

describe("removing a project", () => {
  it("is no failure of the work that waited in it", async () => {
    const world = testWorld()
    const { projectId, ownerId } = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(projectId)
    await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
    const jobs = world.core.background.workflows.find(({ name }) => name === "run-project-job") as AnyWorkflow
    await world.run(world.core.projects.remove(projectId, ownerId))
    await world.runPending()
    await world.run(jobs.run({ project_id: projectId, job: "segments.evaluate" }))
    expect([...world.signals.of("processing_failed"), ...world.signals.of("job_failed")]).toEqual([])
  })

  it("removes its database, members, keys and users' sessions", async () => {
    const world = testWorld()
    const { projectId, clientKey, ownerId } = await world.aProjectWithOwner()
    const { sessionToken } = await world.aSignedInUser(projectId)
    await world.run(world.core.projects.remove(projectId, ownerId))
    await world.advance("5 seconds")
    expect(await projectsIn(world)).toEqual([])
    expect(await databaseOf(world, projectId)).toBe("TENANT_UNAVAILABLE")
    expect(await world.run(world.core.access.roleIn(projectId, ownerId))).toBeNull()
    expect(await world.run(world.core.access.projectOfKey(clientKey))).toBeNull()
    expect(await world.run(Effect.flip(world.core.access.session(projectId, sessionToken)))).toMatchObject({
      code: "TENANT_UNAVAILABLE",
    })
  })

  it("is finished later when it was interrupted", async () => {
    const broken = fault()
    const world = testWorld({
      ports: ({ tenants }) => ({
        tenants: { ...tenants, drop: (id) => (broken.shouldFail() ? Effect.die("broken") : tenants.drop(id)) },
      }),
    })
    const { projectId, ownerId } = await world.aProjectWithOwner()
    broken.arm()
    expect(Exit.isFailure(await world.run(Effect.exit(world.core.projects.remove(projectId, ownerId))))).toBe(true)
    expect(await world.run(Effect.flip(world.core.projects.get(projectId)))).toMatchObject({ code: "NOT_FOUND" })
    await world.advance("11 minutes")
    expect(await projectsIn(world)).toEqual([])
  })

  it("is refused the second time, since there is no owner any more", async () => {
    const world = testWorld()
    const { projectId, ownerId } = await world.aProjectWithOwner()
    await world.run(world.core.projects.remove(projectId, ownerId))
    const again = await world.run(Effect.flip(world.core.projects.remove(projectId, ownerId)))
    expect(again).toMatchObject({ code: "FORBIDDEN" })
    expect(await projectsIn(world)).toEqual([])
  })
})
