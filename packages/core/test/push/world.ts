import type { PushCampaign, PushDelivery, PushToken } from "@hearth/core/push"
import { aPushCampaign, aPushToken, memoryPushGateway, type TestWorldOptions, testWorld } from "@hearth/testing"
import { Option } from "effect"

/** Noon. */
export const noon = new Date("2026-03-01T12:00:00.000Z")

/** A project whose campaigns are sent to a gateway in memory, at noon of 1 March 2026. */
export const pushWorld = async (options: TestWorldOptions = {}) => {
  let gateway: ReturnType<typeof memoryPushGateway> | undefined
  const world = testWorld({
    startAt: noon,
    ...options,
    ports: (memory) => {
      gateway = memoryPushGateway(memory.clock)
      const { ports } = options
      return { push: gateway, ...(typeof ports === "function" ? ports({ ...memory, push: gateway }) : ports) }
    },
  })
  if (gateway === undefined) throw new Error("A world has a gateway.")
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const transact = <A, E>(work: Parameters<typeof world.tenants.transact<A, E>>[1]) =>
    world.run(world.tenants.transact(projectId, work))
  const deliveries = (campaign_id: string): Promise<ReadonlyArray<PushDelivery>> =>
    transact((db) => db.pushDeliveries.list({ campaign_id }, []))
  return {
    world,
    gateway,
    projectId,
    ownerId,
    transact,
    deliveries,
    /** A user with devices. */
    user: async (devices: ReadonlyArray<Partial<PushToken>> = [{}], profile: { readonly timezone?: string } = {}) => {
      const { userId } = await world.aSignedInUser(projectId, profile)
      const tokens = devices.map((given) => aPushToken({ app_user_id: userId, ...given }))
      for (const token of tokens) await transact((db) => db.pushTokens.insert(token))
      return { userId, tokens }
    },
    /** A campaign that is there already; it is `sending` unless it says otherwise. Nobody was told of it. */
    campaign: async (given: Partial<PushCampaign> = {}) => {
      const row = aPushCampaign({ status: "sending", ...given })
      await transact((db) => db.pushCampaigns.insert(row))
      return row
    },
    /** Asks for a run of a campaign, and does what is due. */
    send: async ({ id }: Pick<PushCampaign, "id">, options?: Parameters<typeof world.runPending>[0]) => {
      await world.run(world.core.background.campaignRuns.start(projectId, id, null))
      await world.runPending(options)
    },
    /** The campaign as it is now. */
    read: async ({ id }: Pick<PushCampaign, "id">) =>
      Option.getOrThrow(await transact((db) => db.pushCampaigns.find({ id }))),
    stats: async ({ id }: Pick<PushCampaign, "id">) => (await transact((db) => db.pushStats.ofCampaigns([id]))).get(id),
    /** How many deliveries have each state. */
    states: async ({ id }: Pick<PushCampaign, "id">) => {
      const groups = Map.groupBy(await deliveries(id), ({ status }) => status)
      return Object.fromEntries([...groups].map(([status, rows]) => [status, rows.length]))
    },
    device: async ({ id }: Pick<PushToken, "id">) =>
      Option.getOrThrow(await transact((db) => db.pushTokens.find({ id }))),
    events: async (userId: string) => {
      const { rows } = await transact((db) => db.events.pageOfUser(userId, { limit: 100, offset: 0 }))
      return rows.map(({ event_name, properties }) => ({ event_name, properties }))
    },
  }
}
