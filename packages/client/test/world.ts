import { afterEach, beforeEach, vi } from "vitest"
import { type ClientOptions, createClient, type HearthClient, type HearthStorage, memoryStorage } from "../src/index.ts"
import { stubNative } from "./fake-browser.ts"
import { type FakeService, makeFakeService } from "./fake-service.ts"

/** What each test of a file begins with: a clock that stands still, a service, and a storage that all clients share. */
export interface World {
  service: FakeService
  storage: HearthStorage
  /** Makes a client, which is closed after the test. */
  readonly aClient: (options?: Partial<ClientOptions>) => HearthClient
}

/** Makes a new world for each test of a file. */
export const useWorld = (): World => {
  const open: Array<HearthClient> = []
  const world: World = {
    service: makeFakeService(),
    storage: memoryStorage(),
    aClient: (options = {}) => {
      const { service, storage } = world
      const own = { url: "http://hearth.test", apiKey: "key", fetch: service.fetch, storage }
      const client = createClient({ ...own, ...options })
      open.push(client)
      return client
    },
  }
  beforeEach(() => {
    vi.useFakeTimers()
    stubNative()
    world.service = makeFakeService()
    world.storage = memoryStorage()
  })
  afterEach(() => {
    for (const client of open.splice(0)) client.close()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  return world
}
