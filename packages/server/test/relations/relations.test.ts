import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
}

describe("follows and blocks, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const user = () => aUser(server.api, project)
  const call = <Data = Row>({ as }: TestUser, method: string, path: string) =>
    server.api.call<Data>(method, `/client/${path}`, as)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const list = async (as: TestUser, path: string) => {
    const answer = await call<ReadonlyArray<Row>>(as, "GET", path)
    const { total, offset, limit } = JSON.parse(answer.text)
    return { ids: answer.data.map(({ id }) => id), total, offset, limit }
  }

  it("follows with 201, again with 200 and the same row; follows no longer with 200, also again [I3.2]", async () => {
    const [ada, bob] = [await user(), await user()]
    const first = await call(ada, "POST", `follows/${bob.id.toUpperCase()}`)
    expect(first).toMatchObject({ status: 201 })
    expect(first.data).toEqual({
      ...{ id: bob.id, display_name: expect.any(String), avatar_url: null, created_at: expect.stringMatching(/Z$/) },
    })
    expect(await call(ada, "POST", `follows/${bob.id}`)).toMatchObject({ status: 200, data: first.data })
    expect(await list(bob, "follows?direction=followers")).toEqual({ ids: [ada.id], total: 1, offset: 0, limit: 50 })
    expect(await list(bob, "follows")).toEqual({ ids: [], total: 0, offset: 0, limit: 50 })
    for (const _ of [1, 2])
      expect(await call(ada, "DELETE", `follows/${bob.id}`)).toMatchObject({ status: 200, data: { deleted: true } })
    expect((await list(ada, "follows")).total).toBe(0)
  })

  it("refuses oneself, nobody and what is no id [I3.2, I4.3]", async () => {
    const ada = await user()
    const answers = async (path: string, ...methods: ReadonlyArray<string>) =>
      Promise.all(methods.map(async (method) => brief(await call(ada, method, path))))
    const [invalid, unknown, absent] = [
      ...[
        [400, "INVALID_INPUT"],
        [404, "USER_NOT_FOUND"],
        [404, "NOT_FOUND"],
      ],
    ]
    expect(await answers(`follows/${ada.id}`, "POST", "DELETE")).toEqual([invalid, invalid])
    expect(await answers(`follows/${randomUUID()}`, "POST", "DELETE")).toEqual([unknown, unknown])
    expect(await answers("follows/nobody", "POST", "DELETE")).toEqual([absent, absent])
    expect(await answers(`blocks/${ada.id}`, "POST", "DELETE")).toEqual([invalid, [200, null]])
    expect(await answers(`blocks/${randomUUID()}`, "POST", "DELETE")).toEqual([unknown, [200, null]])
    expect(await answers("blocks/nobody", "POST", "DELETE")).toEqual([absent, absent])
    for (const query of ["direction=", "direction=both", "direction=FOLLOWERS"])
      expect(await answers(`follows?${query}`, "GET")).toEqual([invalid])
    expect(await answers("follows?limit=0", "GET")).toEqual([[400, "INVALID_LIMIT"]])
    expect(await answers("blocks?offset=-1", "GET")).toEqual([[400, "INVALID_OFFSET"]])
  })

  it("knows no user of another project [I3.2]", async () => {
    const [ada, stranger] = [await user(), await aUser(server.api, await aProject(server.api))]
    for (const path of ["follows", "blocks"])
      expect(brief(await call(ada, "POST", `${path}/${stranger.id}`))).toEqual([404, "USER_NOT_FOUND"])
  })

  it("blocks with 201, again with 200; ends follows both ways and refuses new ones with BLOCKED [I3.2, I4.3]", async () => {
    const [ada, bob] = [await user(), await user()]
    await call(ada, "POST", `follows/${bob.id}`)
    await call(bob, "POST", `follows/${ada.id}`)
    const first = await call(ada, "POST", `blocks/${bob.id}`)
    expect(first).toMatchObject({ status: 201, data: { id: bob.id } })
    expect(await call(ada, "POST", `blocks/${bob.id}`)).toMatchObject({ status: 200, data: first.data })
    expect([(await list(ada, "follows")).total, (await list(bob, "follows")).total]).toEqual([0, 0])
    expect(brief(await call(ada, "POST", `follows/${bob.id}`))).toEqual([403, "BLOCKED"])
    expect(brief(await call(bob, "POST", `follows/${ada.id}`))).toEqual([403, "BLOCKED"])
    expect(await list(ada, "blocks")).toEqual({ ids: [bob.id], total: 1, offset: 0, limit: 50 })
    expect((await list(bob, "blocks")).total).toBe(0)
    // Only who made it ends it.
    expect((await call(bob, "DELETE", `blocks/${ada.id}`)).status).toBe(200)
    expect(brief(await call(bob, "POST", `follows/${ada.id}`))).toEqual([403, "BLOCKED"])
    expect((await call(ada, "DELETE", `blocks/${bob.id}`)).status).toBe(200)
    expect((await call(bob, "POST", `follows/${ada.id}`)).status).toBe(201)
  })

  it("leaves one row of many calls at once, and no follow beside a block [I3.2]", async () => {
    const [ada, bob] = [await user(), await user()]
    const follows = await Promise.all(Array.from({ length: 8 }, () => call(ada, "POST", `follows/${bob.id}`)))
    expect(follows.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill(200), 201])
    const calls = Array.from({ length: 12 }, (_, at) =>
      at % 3 === 0
        ? call(at % 2 === 0 ? ada : bob, "POST", `blocks/${at % 2 === 0 ? bob.id : ada.id}`)
        : call(at % 2 === 0 ? bob : ada, "POST", `follows/${at % 2 === 0 ? ada.id : bob.id}`),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => ![200, 201, 403].includes(status))).toEqual([])
    expect([(await list(ada, "follows")).total, (await list(bob, "follows")).total]).toEqual([0, 0])
    expect([(await list(ada, "blocks")).total, (await list(bob, "blocks")).total]).toEqual([1, 1])
  })

  it("are in the file about the user who made them, and in nobody else's [I3.2]", async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()]
    await call(ada, "POST", `follows/${bob.id}`)
    await call(ada, "POST", `blocks/${eve.id}`)
    const sections = async (id: string) => {
      const file = await fetch(`${server.url}/v1${project.admin}/users/${id}/export`, { headers: project.owner.as })
      const text = await file.text()
      const lines = text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      return lines.filter(({ section }) => section === "follows" || section === "blocks")
    }
    expect(await sections(ada.id)).toMatchObject([
      { section: "follows", data: { follower_id: ada.id, followed_id: bob.id } },
      { section: "blocks", data: { blocker_id: ada.id, blocked_id: eve.id } },
    ])
    expect([await sections(bob.id), await sections(eve.id)]).toEqual([[], []])
  })
})
