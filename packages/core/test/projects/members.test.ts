import type { Role } from "@hearth/core/projects"
import { type TestWorld, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { fault } from "../faults.ts"

const everything = { limit: 1_000, offset: 0 }

const setUp = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const add = async (name: string, role: Role) => {
    const email = `${name}@example.com`
    const { developer } = await world.run(world.core.developers.signup({ email, password: "correct horse" }))
    await world.run(world.core.members.create(projectId, ownerId, { email, role }))
    return developer.id
  }
  /** Somebody of a role: the owner, or a new member. */
  const callerOf = (role: Role) => (role === "owner" ? Promise.resolve(ownerId) : add("caller", role))
  return { world, projectId, ownerId, add, callerOf }
}

const refusal = <A, E extends { readonly code: string }>(world: TestWorld, effect: Effect.Effect<A, E>) =>
  world.run(Effect.map(Effect.flip(effect), ({ code }) => code))

const rolesIn = async (world: TestWorld, projectId: string) =>
  (await world.run(world.core.members.list(projectId, everything))).rows.map(({ role }) => role)

describe("members (decisions, C)", () => {
  it("are listed with email and name, the oldest first", async () => {
    const { world, projectId, ownerId, add } = await setUp()
    await world.advance("1 minute")
    const ada = await add("ada", "viewer")
    const { rows, total } = await world.run(world.core.members.list(projectId, everything))
    expect(total).toBe(2)
    expect(rows[0]).toMatchObject({ developer_id: ownerId, role: "owner" })
    expect(rows[1]).toEqual({
      developer_id: ada,
      email: "ada@example.com",
      name: null,
      role: "viewer",
      created_at: new Date("2026-03-01T12:01:00.000Z"),
    })
  })

  it("are added by email, and only those who have an account", async () => {
    const { world, projectId, ownerId } = await setUp()
    const nobody = world.core.members.create(projectId, ownerId, { email: "nobody@example.com", role: "viewer" })
    expect(await refusal(world, nobody)).toBe("DEVELOPER_NOT_FOUND")
    expect(await rolesIn(world, projectId)).toEqual(["owner"])
  })

  it("are viewers, and keep the role that they have, where none is given", async () => {
    const { world, projectId, ownerId, add } = await setUp()
    await add("ada", "admin")
    await world.run(world.core.developers.signup({ email: "eve@example.com", password: "correct horse" }))
    const addAs = (callerId: string, name: string) =>
      world.run(world.core.members.create(projectId, callerId, { email: `${name}@example.com` }))
    const [eve, ada] = [await addAs(ownerId, "eve"), await addAs(ownerId, "ada")]
    expect([eve.role, ada.role]).toEqual(["viewer", "admin"])
    const { rows } = await world.run(world.core.members.list(projectId, everything))
    const [name] = (rows[0]?.email ?? "").split("@")
    expect(await addAs(ada.developer_id, name ?? "")).toEqual(rows[0])
    expect(await rolesIn(world, projectId)).toEqual(["owner", "admin", "viewer"])
  })

  it("get the new role when they are added again", async () => {
    const { world, projectId, ownerId, add } = await setUp()
    const ada = await add("ada", "viewer")
    const input = { email: "ada@example.com", role: "admin" as const }
    const again = await world.run(world.core.members.create(projectId, ownerId, input))
    expect(again).toMatchObject({ developer_id: ada, role: "admin" })
    expect(await rolesIn(world, projectId)).toEqual(["owner", "admin"])
  })

  it("are added once when two calls add the same developer", async () => {
    const { world, projectId, ownerId } = await setUp()
    const email = "ada@example.com"
    await world.run(world.core.developers.signup({ email, password: "correct horse" }))
    const both = (["viewer", "admin"] as const).map((role) =>
      world.core.members.create(projectId, ownerId, { email, role }),
    )
    await world.run(Effect.all(both, { concurrency: "unbounded" }))
    expect(await rolesIn(world, projectId)).toHaveLength(2)
  })

  it.each([
    ["the locks", 1],
    ["the locks", 3],
    ["the look-up", 1],
    ["the look-up", 3],
  ] as const)("get their role also when a concurrent call adds them after %s: %i times", async (step, times) => {
    const late = fault()
    const world = testWorld({
      ports: ({ control }) => ({
        control: {
          ...control,
          transact: (work) =>
            control.transact((db) =>
              work({
                ...db,
                members: {
                  ...db.members,
                  lockRoles: (id, developerIds) =>
                    step === "the locks" && late.shouldFail()
                      ? Effect.map(db.members.lockRoles(id, []), (roles) => new Map([...roles].slice(0, 1)))
                      : db.members.lockRoles(id, developerIds),
                  find: (where) =>
                    step === "the look-up" && late.shouldFail() ? Effect.succeedNone : db.members.find(where),
                },
              }),
            ),
        },
      }),
    })
    const { projectId, ownerId } = await world.aProjectWithOwner()
    const ada = { email: "ada@example.com" }
    await world.run(world.core.developers.signup({ ...ada, password: "correct horse" }))
    await world.run(world.core.members.create(projectId, ownerId, { ...ada, role: "owner" }))
    late.arm(times)
    const added = await world.run(world.core.members.create(projectId, ownerId, { ...ada, role: "admin" }))
    expect(added).toMatchObject({ role: "admin" })
    expect(await rolesIn(world, projectId)).toEqual(["owner", "admin"])
  })

  it("can leave", async () => {
    const { world, projectId, ownerId, add } = await setUp()
    const ada = await add("ada", "admin")
    await world.run(world.core.members.remove(projectId, ada, ada))
    expect(await world.run(world.core.access.roleIn(projectId, ada))).toBeNull()
    expect(await refusal(world, world.core.members.remove(projectId, ownerId, ada))).toBe("DEVELOPER_NOT_FOUND")
    expect(await refusal(world, world.core.members.update(projectId, ownerId, ada, { role: "viewer" }))).toBe(
      "DEVELOPER_NOT_FOUND",
    )
  })

  it("are unchanged by an empty change", async () => {
    const { world, projectId, ownerId, add } = await setUp()
    const ada = await add("ada", "viewer")
    expect(await world.run(world.core.members.update(projectId, ownerId, ada, {}))).toMatchObject({ role: "viewer" })
  })
})

describe("who may do what to whom [B3]", () => {
  test.each<[caller: Role, from: Role, to: Role, allowed: boolean]>([
    ["owner", "viewer", "admin", true],
    ["owner", "viewer", "owner", true],
    ["owner", "owner", "viewer", true],
    ["owner", "admin", "viewer", true],
    ["admin", "viewer", "admin", true],
    ["admin", "admin", "viewer", true],
    ["admin", "viewer", "owner", false],
    ["admin", "admin", "owner", false],
    ["admin", "owner", "admin", false],
    ["admin", "owner", "owner", false],
  ])("an %s makes a %s a %s: %s", async (caller, from, to, allowed) => {
    const { world, projectId, add, callerOf } = await setUp()
    const ada = await add("ada", from)
    const callerId = await callerOf(caller)
    const email = "ada@example.com"
    for (const change of [
      world.core.members.update(projectId, callerId, ada, { role: to }),
      world.core.members.create(projectId, callerId, { email, role: to }),
    ]) {
      if (allowed) expect(await world.run(change)).toMatchObject({ role: to })
      else expect(await refusal(world, change)).toBe("FORBIDDEN")
    }
    expect(await world.run(world.core.access.roleIn(projectId, ada))).toBe(allowed ? to : from)
  })

  test.each<[caller: Role, role: Role, allowed: boolean]>([
    ["owner", "owner", true],
    ["owner", "viewer", true],
    ["admin", "admin", true],
    ["admin", "owner", false],
  ])("an %s removes an %s: %s", async (caller, role, allowed) => {
    const { world, projectId, add, callerOf } = await setUp()
    const callerId = await callerOf(caller)
    const before = (await rolesIn(world, projectId)).length
    const removal = world.core.members.remove(projectId, callerId, await add("ada", role))
    if (allowed) await world.run(removal)
    else expect(await refusal(world, removal)).toBe("FORBIDDEN")
    expect(await rolesIn(world, projectId)).toHaveLength(allowed ? before : before + 1)
  })

  it("an admin adds no owner", async () => {
    const { world, projectId, callerOf } = await setUp()
    const callerId = await callerOf("admin")
    const email = "ada@example.com"
    await world.run(world.core.developers.signup({ email, password: "correct horse" }))
    expect(await refusal(world, world.core.members.create(projectId, callerId, { email, role: "owner" }))).toBe(
      "FORBIDDEN",
    )
  })
})

describe("the last owner", () => {
  it("can neither leave nor give up the role", async () => {
    const { world, projectId, ownerId, add } = await setUp()
    await add("ada", "admin")
    expect(await refusal(world, world.core.members.remove(projectId, ownerId, ownerId))).toBe("LAST_OWNER")
    const demotion = world.core.members.update(projectId, ownerId, ownerId, { role: "admin" })
    expect(await refusal(world, demotion)).toBe("LAST_OWNER")
    await world.run(world.core.members.update(projectId, ownerId, ownerId, { role: "owner" }))
    expect(await rolesIn(world, projectId)).toEqual(["owner", "admin"])
  })

  it("can leave once there is another owner", async () => {
    const { world, projectId, ownerId, add } = await setUp()
    await add("ada", "owner")
    await world.run(world.core.members.remove(projectId, ownerId, ownerId))
    expect(await rolesIn(world, projectId)).toEqual(["owner"])
  })

  it("stays when all owners leave concurrently", async () => {
    const { world, projectId, ownerId, add } = await setUp()
    const owners = [ownerId, await add("ada", "owner"), await add("eve", "owner")]
    const leaving = owners.map((id) => Effect.result(world.core.members.remove(projectId, id, id)))
    const outcomes = await world.run(Effect.all(leaving, { concurrency: "unbounded" }))
    expect(outcomes.filter((outcome) => outcome._tag === "Failure")).toMatchObject([
      { failure: { code: "LAST_OWNER" } },
    ])
    expect(await rolesIn(world, projectId)).toEqual(["owner"])
  })
})

describe("a right that is over", () => {
  /** Everything that changes a project, by this caller. */
  const changesBy = ({ core }: TestWorld, projectId: string, callerId: string, memberId: string) => [
    core.members.update(projectId, callerId, callerId, { role: "owner" }),
    core.members.update(projectId, callerId, memberId, { role: "viewer" }),
    core.members.remove(projectId, callerId, memberId),
    core.members.create(projectId, callerId, { email: "eve@example.com", role: "viewer" }),
    core.members.create(projectId, callerId, { email: "nobody@example.com", role: "viewer" }),
    core.projects.update(projectId, callerId, { name: "Taken" }),
    core.apiKeys.create(projectId, callerId, {}),
    core.apiKeys.revoke(projectId, callerId, "00000000-0000-7000-8000-000000000000"),
    core.projects.remove(projectId, callerId),
  ]

  it.each(["viewer", null] as const)("changes nothing, of one who is %s now", async (role) => {
    const { world, projectId, ownerId, add } = await setUp()
    const [bob] = [await add("bob", "owner"), await add("eve", "admin")]
    if (role === null) await world.run(world.core.members.remove(projectId, ownerId, bob))
    else await world.run(world.core.members.update(projectId, ownerId, bob, { role }))
    const before = await world.run(world.core.projects.get(projectId))
    for (const change of changesBy(world, projectId, bob, ownerId)) {
      expect(await refusal<unknown, { readonly code: string }>(world, change)).toBe("FORBIDDEN")
    }
    expect(await world.run(world.core.projects.get(projectId))).toEqual(before)
    expect(await rolesIn(world, projectId)).toEqual(role === null ? ["owner", "admin"] : ["owner", "viewer", "admin"])
  })

  it("is the owners' to remove the project", async () => {
    const { world, projectId, add } = await setUp()
    expect(await refusal(world, world.core.projects.remove(projectId, await add("eve", "admin")))).toBe("FORBIDDEN")
  })
})
