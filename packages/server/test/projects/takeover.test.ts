import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, type TestDeveloper, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("a project cannot be taken over with a role that is over", () => {
  const harness = makeHarness()
  let server: TestServer
  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
  })
  afterAll(harness.clear)

  /** A project with two owners, whose roles the server has just seen. */
  const twoOwners = async () => {
    const [owner, other] = [await aDeveloper(server.api), await aDeveloper(server.api)]
    const project = await aProject(server.api, owner)
    await server.api.ok("POST", `${project.admin}/members`, owner.as, { email: other.email, role: "owner" })
    for (const { as } of [owner, other]) await server.api.ok("GET", `${project.admin}/members`, as)
    return { owner, other, project }
  }
  const memberPath = (project: TestProject, { id }: TestDeveloper) => `${project.admin}/members/${id}`
  const statusOf = async (...call: Parameters<TestServer["api"]["call"]>) => (await server.api.call(...call)).status
  const membersOf = async (project: TestProject, { as }: TestDeveloper) =>
    (await server.api.ok("GET", `${project.admin}/members`, as)) as ReadonlyArray<{ readonly role: string }>

  it("by an owner who was demoted, and makes himself owner again", async () => {
    const { owner, other, project } = await twoOwners()
    await server.api.ok("PATCH", memberPath(project, other), owner.as, { role: "viewer" })
    expect(await statusOf("PATCH", memberPath(project, other), other.as, { role: "owner" })).toBe(403)
    expect(await statusOf("DELETE", memberPath(project, owner), other.as)).toBe(403)
    expect(await statusOf("PATCH", project.admin, other.as, { name: "Taken" })).toBe(403)
    expect(await statusOf("POST", `${project.admin}/api-keys`, other.as, {})).toBe(403)
    expect((await membersOf(project, owner)).map(({ role }) => role)).toEqual(["owner", "viewer"])
  })

  it("by a member who was removed, and removes the project or invites himself", async () => {
    const { owner, other, project } = await twoOwners()
    await server.api.ok("DELETE", memberPath(project, other), owner.as)
    expect(await statusOf("DELETE", project.admin, other.as)).toBe(403)
    const invitation = { email: other.email, role: "owner" }
    expect(await statusOf("POST", `${project.admin}/members`, other.as, invitation)).toBe(403)
    expect(await membersOf(project, owner)).toHaveLength(1)
  })

  it("by two owners who remove each other at once: one of them stays", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { owner, other, project } = await twoOwners()
      const statuses = await Promise.all([
        statusOf("DELETE", memberPath(project, other), owner.as),
        statusOf("DELETE", memberPath(project, owner), other.as),
      ])
      expect(statuses.toSorted()).toEqual([200, 403])
      const winner = statuses[0] === 200 ? owner : other
      expect((await membersOf(project, winner)).map(({ role }) => role)).toEqual(["owner"])
    }
  })
})
