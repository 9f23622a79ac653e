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

const changed = ["is_ready", "server_events", "client_backdate_hours", "limits"]
  .map((column) => `old.${column} is distinct from new.${column}`)
  .join(" or ")

/** The same for projects: hiding and removal take rights away, and what apps may write is remembered too. */
export const notifyProject = makeTrigger(`if tg_op = 'DELETE' or ${changed} then ${notify("id")}; end if`)
