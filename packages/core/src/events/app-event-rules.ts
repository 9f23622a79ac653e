import { projectDefaults } from "../projects/records.ts"
import { isReservedEvent } from "./event-names.ts"

/** What a project says about the events that its apps write. */
export interface AppEventRules {
  /** Names that apps may not write, beside the reserved ones [G0.1]. */
  readonly server_events: ReadonlySet<string>
  /** How many hours ago an event may have occurred [G0.2]. */
  readonly client_backdate_hours: number
}

/** The rules of a project that has set none. */
export const defaultEventRules: AppEventRules = {
  server_events: new Set(),
  client_backdate_hours: projectDefaults.client_backdate_hours,
}

/** Whether apps may write events of this name [G0.1]. */
export const mayAppWrite = ({ server_events }: Pick<AppEventRules, "server_events">, name: string): boolean =>
  !isReservedEvent(name) && !server_events.has(name)
