import { controlParts, tenantParts } from "../features.ts"
import type { SchemaStep } from "./migration.ts"
import { release } from "./release.ts"
import type { Schema } from "./schema.ts"
import { controlSteps, tenantSteps } from "./steps.ts"

/** Sorts the steps of all features by their numbers. */
export const sortSteps = (steps: ReadonlyArray<SchemaStep>): ReadonlyArray<SchemaStep> =>
  steps.toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** The schema of the control database. */
export const controlSchema: Schema = {
  entities: controlParts.flatMap(({ entities }) => entities),
  steps: sortSteps([...controlSteps, ...controlParts.flatMap(({ steps = [] }) => steps)]),
  release,
}

/** The schema of a project's database. */
export const tenantSchema: Schema = {
  entities: tenantParts.flatMap(({ entities }) => entities),
  steps: sortSteps([...tenantSteps, ...tenantParts.flatMap(({ steps = [] }) => steps)]),
  release,
}
