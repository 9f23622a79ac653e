import { randomUUID } from "node:crypto"
import type { Api, Credentials } from "../harness/api.ts"
import { aDeveloper, aProject, aStreak, aUser, type TestDeveloper } from "../harness/fixtures.ts"

/** A project with a bit of everything, and the credentials of all who may call. */
export interface GeneratedWorld {
  readonly projectId: string
  /** By the name of the path's parameter: what it may be. */
  readonly params: Readonly<Record<string, ReadonlyArray<string>>>
  readonly ids: ReadonlyArray<string>
  readonly owner: Credentials
  readonly viewer: Credentials
  readonly stranger: Credentials
  readonly user: Credentials
  readonly app: Credentials
  /** A text that stands in every row of the project that takes one. */
  readonly canary: string
}

/** The developers of a world: the owner of its projects, a member who may only read, and one who is no member. */
export interface GeneratedDevelopers {
  readonly owner: TestDeveloper
  readonly viewer: TestDeveloper
  readonly stranger: TestDeveloper
}

/** Signs the developers up. */
export const makeDevelopers = async (api: Api): Promise<GeneratedDevelopers> => ({
  owner: await aDeveloper(api),
  viewer: await aDeveloper(api),
  stranger: await aDeveloper(api),
})

/** Makes a project with users, events, a streak, a segment, a link and an entitlement. */
export const makeGeneratedWorld = async (
  api: Api,
  { owner: by, viewer, stranger }: GeneratedDevelopers,
): Promise<GeneratedWorld> => {
  const canary = `canary-${randomUUID()}`
  const project = await aProject(api, by)
  const { admin, owner } = project
  await api.ok("POST", `${admin}/members`, owner.as, { email: viewer.email, role: "viewer" })
  const [one, two] = [await aUser(api, project), await aUser(api, project)]
  await api.ok("PATCH", "/client/users/me", one.as, { display_name: canary, properties: { canary } })
  const streak = await aStreak(api, project, { name: canary, qualifying_event: "lesson" })
  const event = (id: string) => ({ app_user_id: id, event_name: "lesson", properties: { canary } })
  await api.ok("POST", `${admin}/events`, owner.as, { events: [event(one.id), event(two.id)] })
  const rules = { operator: "AND", conditions: [{ field: "properties.canary", op: "exists" }] }
  const segment = await api.ok<{ id: string }>("POST", `${admin}/segments`, owner.as, { name: canary, rules })
  const slug = canary.slice(0, 40)
  const link = await api.ok<{ id: string }>("POST", `${admin}/deep-links/tracked`, owner.as, {
    ...{ slug, destination_url: "https://example.com/", name: canary, title: canary },
  })
  const key = await api.ok<{ id: string }>("POST", `${admin}/api-keys`, owner.as, { name: canary })
  await api.ok("POST", `${admin}/users/${one.id}/entitlements`, owner.as, { entitlement_id: canary })
  const users = [one.id, two.id]
  return {
    ...{
      projectId: project.id,
      owner: owner.as,
      viewer: viewer.as,
      stranger: stranger.as,
      user: one.as,
      app: project.app,
    },
    params: {
      ...{ projectId: [project.id], userId: users, streakId: [streak], streakDefinitionId: [streak], slug: [slug] },
      ...{ provider: ["subscription", "paywall", "push_a", "push_b"] },
      ...{ segmentId: [segment.id], linkId: [link.id], keyId: [key.id], developerId: [viewer.id, owner.id] },
    },
    ids: [...users, streak, segment.id, link.id, key.id, owner.id],
    canary,
  }
}
