import { randomUUID } from "node:crypto"
import type { Engagement } from "@hearth/core"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { routes } from "../../src/routes/index.ts"
import { type RefusalWorld, refusals } from "../http/refusals.ts"
import { openRealService, type RealService } from "./real-service.ts"

let ownerId: string
let service: RealService
let world: RefusalWorld

const signUp = (core: Engagement) =>
  Effect.runPromise(core.developers.signup({ email: `${randomUUID()}@example.com`, password: randomUUID() }))

beforeAll(async () => {
  service = await openRealService()
  const { core, fetch, effects } = service
  const [owner, stranger] = [await signUp(core), await signUp(core)]
  ownerId = owner.developer.id
  const settings = { bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }
  const project = await Effect.runPromise(core.projects.create(owner.developer.id, { name: "Refusals", ...settings }))
  const { session_token } = await Effect.runPromise(core.auth.anonymous(project.id))
  world = {
    ...{ fetch, effects, projectId: project.id, clientKey: project.client_api_key, sessionToken: session_token },
    ...{ developerToken: owner.access_token, strangerToken: stranger.access_token },
  }
})

afterAll(async () => {
  await Effect.runPromise(service.core.projects.remove(world.projectId, ownerId))
  await service.close()
})

refusals("the real service", routes, () => world, { provider: "paywall" })
