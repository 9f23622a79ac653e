import { Schema } from "effect"
import {
  ClientItemChanges,
  ContentImport,
  ContentItemChanges,
  ContentLibraryChanges,
  ContentScheduleChanges,
  NewClientItem,
  NewContentItems,
  NewContentLibrary,
  NewContentSchedule,
} from "../content/index.ts"
import { count, id, options, record, slice } from "./rules.ts"

/** How the arguments of the use cases of content are read. */
export const contentRules = {
  items: {
    importAll: [id, id, record(ContentImport.fields.items)],
    insert: [id, id, record(NewContentItems.fields.items)],
    list: [id, id, options({ limit: 50, offset: 0 }, [], { is_active: Schema.Boolean })],
    remove: [id, id],
    update: [id, id, record(ContentItemChanges)],
  },
  libraries: {
    create: [id, record(NewContentLibrary)],
    get: [id, id],
    list: [id, slice],
    remove: [id, id],
    update: [id, id, record(ContentLibraryChanges)],
  },
  ofClients: {
    create: [id, id, id, record(NewClientItem)],
    get: [id, id, id],
    list: [id, id, id, slice],
    remove: [id, id, id],
    update: [id, id, id, record(ClientItemChanges)],
  },
  schedules: {
    create: [id, record(NewContentSchedule)],
    deliver: [id, id],
    list: [id, slice],
    preview: [id, id, count("count", 1, 50, 7)],
    remove: [id, id],
    today: [id, id, slice],
    update: [id, id, record(ContentScheduleChanges)],
  },
} as const
