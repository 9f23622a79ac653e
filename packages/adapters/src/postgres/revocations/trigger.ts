import { revocationChannel } from "./payloads.ts"

const notify = (column: string) => `perform pg_notify('${revocationChannel}', old.${column}::text)`

const makeTrigger = (statement: string) => ({
  name: "notify_revoked",
  timing: "after" as const,
  events: ["update" as const, "delete" as const],
  forEach: "row" as const,
  body: `${statement}; return null`,
})

/** A trigger that tells all processes which id a changed or removed row took rights from, in the transaction that does it. */
export const notifyRevoked = (column: string) => makeTrigger(notify(column))

/** The same for projects, where only hiding and removal take rights away. */
export const notifyHidden = makeTrigger(
  `if tg_op = 'DELETE' or old.is_ready is distinct from new.is_ready then ${notify("id")}; end if`,
)
