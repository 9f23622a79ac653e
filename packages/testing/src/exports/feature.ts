import type { ExportsDb, PageKey } from "@hearth/core/exports"
import type { TenantFeature } from "../feature.ts"
import { any, fields, instant, type Keep, keepList, orNull, text, uuid } from "../memory/arguments.ts"
import { memoryExports } from "./memory.ts"

/** The key of a page of events: when the last one occurred, and its id. */
const eventKey: Keep = (key) => {
  const [occurredAt, id] = key as PageKey
  return [(instant(new Date(occurredAt ?? "")) as Date).toISOString(), uuid(id)]
}

/** Exports in tests: the repository in memory. */
export const exportsFeature: TenantFeature<ExportsDb> = {
  tenant: {
    shapes: [],
    rules: {
      exports: {
        users: [any, fields({ since: orNull(instant), segment_id: orNull(uuid) }), orNull(keepList(uuid))],
        userEvents: [
          any,
          fields({ user_id: uuid, since: orNull(instant), until: orNull(instant), event_name: orNull(text) }),
          orNull(eventKey),
        ],
        reviews: [any, fields({ since: orNull(instant) }), orNull(keepList(uuid))],
        section: [any, uuid],
      },
    },
    make: ({ statements, sections, clock }) => ({ exports: memoryExports(statements, sections, clock) }),
  },
}
