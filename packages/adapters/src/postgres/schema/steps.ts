import { developersAndProjects } from "./control/0001-developers-and-projects.ts"
import { evaluationTimes } from "./control/0002-evaluation-times.ts"
import { projectJobs } from "./control/0003-project-jobs.ts"
import type { SchemaStep } from "./migration.ts"
import { usersEventsStreaks } from "./tenant/0001-users-events-streaks.ts"
import { identities } from "./tenant/0002-identities.ts"
import { dataPlane } from "./tenant/0003-data-plane.ts"
import { background } from "./tenant/0004-background.ts"

/** The way to the present schema of the control database. */
export const controlSteps: ReadonlyArray<SchemaStep> = [developersAndProjects, evaluationTimes, projectJobs]

/** The way to the present schema of a project's database. */
export const tenantSteps: ReadonlyArray<SchemaStep> = [usersEventsStreaks, identities, dataPlane, background]
