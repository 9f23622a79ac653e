import { type Failure, QueueUnavailable, TenantUnavailable } from "@hearth/core"
import { Effect } from "effect"
import { pushWorld } from "./world.ts"

/** A project with campaigns, whose queue can be taken away. `during` runs in the middle of a start of the queue. */
export const campaignWorld = async () => {
  let isDown = false
  let onRefused: () => unknown = () => {}
  let isLost = false
  const refuse = Effect.promise(async () => onRefused()).pipe(Effect.andThen(Effect.fail(new QueueUnavailable())))
  const starts: Array<string> = []
  const base = await pushWorld({
    ports: ({ tenants, workflows }) => ({
      tenants: {
        ...tenants,
        transact: (id, work, options) =>
          isLost
            ? Effect.andThen(tenants.transact(id, work, options), new TenantUnavailable({ outcome: "unknown" }))
            : tenants.transact(id, work, options),
      },
      workflows: {
        ...workflows,
        start: (workflow, id, input, options) => {
          if (workflow.name === "push-campaign") starts.push(id)
          return isDown ? refuse : workflows.start(workflow, id, input, options)
        },
        terminate: (workflow, id) => (isDown ? refuse : workflows.terminate(workflow, id)),
      },
    }),
  })
  const { world, projectId } = base
  const core = world.core.pushCampaigns
  return {
    ...base,
    core,
    starts,
    setDown: (down: boolean) => {
      isDown = down
    },
    /** Takes the queue away, and does something while it refuses the next start. */
    whenRefused: (then: () => unknown) => {
      isDown = true
      onRefused = then
    },
    /** Loses the answers of the project's database: whether a transaction is committed is not known. */
    loseAnswers: () => {
      isLost = true
    },
    /** Takes the queue away, and the database with its first refusal: as when a disk that both are on is full. */
    setBothDown: (down: boolean) => {
      isDown = down
      onRefused = () => world.tenants.busy(projectId, down)
      if (!down) world.tenants.busy(projectId, false)
    },
    create: (more: object = {}) => world.run(core.create(projectId, { title: "Sale!", body: "Cheap.", ...more })),
    update: (id: string, changes: unknown) => world.run(core.update(projectId, id, changes)),
    segment: (name: string) =>
      world.run(
        world.core.segments.create(projectId, {
          ...{ name: "Named", description: null },
          rules: { operator: "AND", conditions: [{ field: "display_name", op: "eq", value: name }] },
        }),
      ),
    refusal: async <A>(effect: Effect.Effect<A, Failure>) => {
      const { code, kind } = await world.run(Effect.flip(effect))
      return `${kind} ${code}`
    },
  }
}
