import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import { processTopic, type WebhooksDb } from "./port.ts"
import { makeProcessAndFinish, makeProcessHandler } from "./process-entry.ts"
import type { Processors } from "./processor.ts"

/** The background work of webhooks: each is processed once, one after the other [H2.2]. */
export const makeWebhooksWork = <Db extends WebhooksDb>(
  ports: Pick<Ports, "clock">,
  processors: Processors<Db>,
): FeatureWork<Db> => ({
  handlers: { [processTopic]: makeProcessHandler(makeProcessAndFinish(ports, processors)) },
})
