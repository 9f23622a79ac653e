import type { Postgres } from "@hearth/adapters"
import { Effect } from "effect"
import { Gauge, type Registry } from "prom-client"
import type { ReadinessCheck } from "./readiness.ts"

type Schemas = Postgres["schemas"]

/**
 * Checks whether the projects' databases have the present schema. It is degraded while some do not: each of them costs its own
 * project, and none takes the process out of service. Why one fails is in the log.
 */
export const checkProjectDatabases = (schemas: Schemas): ReadinessCheck => ({
  dependency: "project-databases",
  find: Effect.sync(() => {
    const { current, behind, examples } = schemas.figures()
    const { waiting, failing, empty, "too-new": too_new } = behind
    const isDegraded = waiting + failing + empty + too_new > 0
    return { status: isDegraded ? "degraded" : "ok", current, waiting, failing, too_new, empty, examples }
  }),
})

/** Registers how many of the projects' databases have the present schema, and what keeps the others from it. */
export const registerProjectDatabases = (registry: Registry, schemas: Schemas): void => {
  new Gauge({
    name: "hearth_project_databases",
    help: "Databases of projects that this process knows, by the state of their schema.",
    labelNames: ["schema"],
    registers: [registry],
    collect() {
      const { current, behind } = schemas.figures()
      for (const [schema, count] of Object.entries({ current, ...behind })) this.set({ schema }, count)
    },
  })
}
