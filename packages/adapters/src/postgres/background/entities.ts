import { defineEntity, p } from "@mikro-orm/core"
import { EngagementEvent } from "../events/entities.ts"
import { Project } from "../projects/entities.ts"
import { User } from "../users/entities.ts"

/** What is to be handled once. Events are named in the order of writing; `bytes` is how much JSON there is to read. */
export const OutboxEntry = defineEntity({
  name: "OutboxEntry",
  tableName: "outbox",
  properties: {
    id: p.bigint("string").primary().generated("by default as identity"),
    topic: p.text(),
    event_ids: p.array().columnType("uuid[]"),
    payload: p.json().nullable(),
    bytes: p.integer(),
    created_at: p.datetime(3),
  },
})

/** What could not be handled, and was set aside. */
export const DeadLetter = defineEntity({
  name: "DeadLetter",
  tableName: "outbox_dead",
  properties: {
    id: p.uuid().primary(),
    event_id: () => p.manyToOne(EngagementEvent).mapToPk().deleteRule("cascade").nullable().unique(),
    topic: p.text().nullable(),
    payload: p.json().nullable(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").nullable().index(),
    reaction: p.text(),
    error: p.text(),
    status: p.enum(["retrying", "dead"] as const),
    tries: p.integer().check("tries >= 0"),
    first_failed_at: p.datetime(3),
    next_try_at: p.datetime(3).nullable(),
  },
  indexes: [
    { properties: ["first_failed_at", "id"] },
    { properties: ["next_try_at"], where: "next_try_at is not null" },
  ],
})

/** A reaction that the project was given, with all its events. */
export const IntroducedReaction = defineEntity({
  name: "IntroducedReaction",
  tableName: "introduced_reactions",
  properties: { name: p.text().primary() },
})

/** A worker, as it was last seen. */
export const Worker = defineEntity({
  name: "Worker",
  tableName: "workers",
  properties: {
    id: p.uuid().primary(),
    reactions: p.array().columnType("text[]"),
    seen_at: p.datetime(3),
  },
})

/** When the jobs of a project are due. */
export const ProjectJob = defineEntity({
  name: "ProjectJob",
  tableName: "project_jobs",
  properties: {
    project_id: () => p.manyToOne(Project).mapToPk().primary().deleteRule("cascade"),
    job: p.text().primary(),
    version: p.integer(),
    /** Null is never. */
    run_at: p.datetime(3).nullable(),
    /** Work that was announced is committed by then. */
    pending_until: p.datetime(3).nullable(),
    /** When this was written, by the clock of who did; null from releases that did not say. */
    noted_at: p.datetime(3).nullable(),
  },
})
