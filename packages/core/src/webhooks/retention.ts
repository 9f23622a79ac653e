import { Effect } from "effect"
import type { ProjectTask } from "../background/work.ts"
import type { Clock } from "../ports/clock.ts"
import type { WebhooksDb } from "./port.ts"

const keptMillis = 90 * 86_400_000
const piece = 1_000

/** Removes webhooks that pass 90 days after they came in [H2.3]: ignored ones, tests, and those of paywalls. */
export const makeRemoveOld = ({ clock }: { readonly clock: Clock }): ProjectTask<WebhooksDb> => ({
  name: "webhooks.remove-old",
  runNext: (db) =>
    Effect.map(
      // Of that age exactly they go too: that is when the task is due.
      db.webhookInbox.removeOld(new Date(clock.now().getTime() - keptMillis + 1), piece),
      (removed) => removed === piece,
    ),
  nextRunAt: (db) =>
    Effect.map(db.webhookInbox.oldestPassing(), (at) => (at === null ? null : new Date(at.getTime() + keptMillis))),
})
