import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Method } from "../../src/http/routing/route.ts"
import { routeGroups } from "../../src/routes/index.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const lists = routeGroups
  .flatMap(({ routes }) => routes)
  .filter(({ method, options }) => method === ("GET" satisfies Method) && "offset" in (options.query ?? {}))
  .map(({ path, options }) => ({ path, access: options.access }))

describe("a list that is asked for from its start", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    user = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  // What the rest of the path names is the user, or is not there, which is said alike.
  it.each(lists)("answers as it does without offset: $path [A8]", async ({ path, access }) => {
    const place = path.replace(":projectId", project.id).replace(":section", "messages").replaceAll(/:\w+/g, user.id)
    const as = access === "developer" ? project.owner.as : access === "client" ? user.as : {}
    const read = (query: string) => server.api.call("GET", `${place}?${query}`, as)
    const [without, from] = [await read("limit=5"), await read("limit=5&offset=0")]
    expect([from.status, from.code]).toEqual([without.status, without.code])
  })
})
