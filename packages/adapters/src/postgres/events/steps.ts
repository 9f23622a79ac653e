import { schemaStep } from "../schema/migration.ts"

/**
 * From which plane an event has come: `client`, `admin`; null where the platform or an earlier release has written it. The ids
 * of apps are kept as causes, whose index there is already [G0.3].
 */
export const eventPlanes = schemaStep("0012-event-planes", ["alter table engagement_events add column plane text"])
