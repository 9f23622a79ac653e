import { developersAndProjects } from "./control/0001-developers-and-projects.ts"
import { evaluationTimes } from "./control/0002-evaluation-times.ts"
import type { SchemaStep } from "./migration.ts"
import { usersEventsStreaks } from "./tenant/0001-users-events-streaks.ts"
import { identities } from "./tenant/0002-identities.ts"
import { dataPlane } from "./tenant/0003-data-plane.ts"

/** The first steps of the control database. Features declare the later ones. */
export const controlSteps: ReadonlyArray<SchemaStep> = [developersAndProjects, evaluationTimes]

/** The first steps of a project's database. Features declare the later ones. */
export const tenantSteps: ReadonlyArray<SchemaStep> = [usersEventsStreaks, identities, dataPlane]
