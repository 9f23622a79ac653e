import { hasLength } from "../schema.ts"

/** What a leaderboard of the metric `custom` counts. */
export interface CustomEvent {
  readonly event_name: string
  /** The property whose values are summed; null counts events. */
  readonly property: string | null
}

/**
 * Reads `custom_event`: the part after the last `:` is the property, so `lesson:completed:` counts the events
 * `lesson:completed` [G3.1]. Null where there is no name of an event in it, or one that no event can have.
 */
export const readCustomEvent = (text: string): CustomEvent | null => {
  const at = text.lastIndexOf(":")
  const event_name = at === -1 ? text : text.slice(0, at)
  const property = at === -1 ? "" : text.slice(at + 1)
  if (!hasLength(event_name, 1, 255)) return null
  return { event_name, property: property === "" ? null : property }
}
