import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import { forgetHandler, forgetTopic } from "./forget-user.ts"
import { processTopic, type WebhooksDb } from "./port.ts"
import { makeNoteDefect, makeProcessAndFinish, makeProcessHandler } from "./process-entry.ts"
import type { Processors } from "./processor.ts"
import { resolveHandler, resolveTopic } from "./resolve-waiting.ts"
import { makeRemoveOld } from "./retention.ts"

/** The background work of webhooks: each is processed once, one after the other [H2.2], and some pass [H2.3]. */
export const makeWebhooksWork = <Db extends WebhooksDb>(
  ports: Pick<Ports, "clock">,
  processors: Processors<Db>,
): FeatureWork<Db> => ({
  handlers: {
    [processTopic]: makeProcessHandler(makeProcessAndFinish(ports, processors)),
    [resolveTopic]: resolveHandler,
    [forgetTopic]: forgetHandler,
  },
  whenSetAside: { [processTopic]: makeNoteDefect(ports) },
  tasks: [makeRemoveOld(ports)],
})
