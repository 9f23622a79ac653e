import type { WritingPlane } from "@hearth/core/events"

// How long a statement of several callers waits for a lock. What is set is read whenever a lock has to be waited for, and it ends with
// the transaction, which is this statement.
const briefly = `patience as materialized (
    select set_config('lock_timeout', '250', true) as millis
  ), `
const isBrief = "(select millis from patience) is not null"

const types = { id: "uuid", app_user_id: "uuid", properties: "jsonb", occurred_at: "timestamptz" } as const

const heads = ["id", "app_user_id", "event_name", "properties", "occurred_at"]

/**
 * What was given for many events: a list per column, from `$1` on. The planner would believe in ten items of each, and compare each
 * with each where they are joined again; it believes in a hundred of the list beside them, which is empty.
 */
const manyGiven = (...columns: ReadonlyArray<string>) => {
  const lists = columns.map((name, at) => `$${at + 1}::${types[name as keyof typeof types] ?? "text"}[]`)
  return `input as materialized (
    select * from rows from (
      unnest(${lists.join(", ")}), jsonb_array_elements('[]')
    ) with ordinality as events (${columns.join(", ")}, nothing, ordinal)
  )`
}

// Releases before wrote the ids of apps like those of developers, and said of no event who had written it. Such an id counts
// as the user's own.
const isNoEarlierId = (events: string) => `and not exists (
      select from ${events} e
      where e.external_id = input.event_id and e.app_user_id = input.app_user_id and e.plane is null
    )`

// Events with the ids that were given, which an earlier release may have written. Not joined to what was given: for that the server
// would read logs of up to 20,000 events as a whole.
const earlier = `earlier as materialized (
    select external_id, app_user_id, plane from engagement_events
    where external_id = any(array(select event_id from input)) and plane is null
  )`

// The users are locked against removal first, so that none can be removed between the check and the write. The events are
// written in the order of their keys: two calls with the same ones wait for each other in one direction only. Within a call
// the first of them wins. A call is all or nothing; of a group, which holds events of several callers, only those of users who are
// not there are left out.
const written = (plane: WritingPlane, conflict: string, { isGroup = false } = {}) => `
  with ${isGroup ? briefly : ""}${manyGiven(...heads, "external_id", "cause_key", "event_id")}, known as materialized (
    select id from app_users where ${isGroup ? `${isBrief} and ` : ""}id = any(array(select app_user_id from input)) order by id for key share
  ), unknown as materialized (
    select ordinal from input where not exists (select from known where known.id = input.app_user_id)
  ), ${plane === "client" ? `${earlier}, ` : ""}written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, plane)
    select id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, '${plane}' from input
    where ${isGroup ? "ordinal not in (select ordinal from unknown)" : "not exists (select from unknown)"}
      ${plane === "client" ? isNoEarlierId("earlier") : ""} order by external_id, cause_key, ordinal
    on conflict ${conflict} do nothing returning id
  ), inserted as (
    select array_agg(id order by ordinal) as ids from written join input using (id)
  )`

const answer = `
  select (select ids from inserted) as inserted, array(select ordinal::int - 1 from unknown order by ordinal) as unknown_users`

// The same for one event, without lists: apps send most events one by one.
const writtenAlone = (plane: WritingPlane, conflict: string, { isGroup = false } = {}) => `
  with ${isGroup ? briefly : ""}input as (
    select $1::uuid as id, $2::uuid as app_user_id, $3::text as event_name, $4::jsonb as properties,
      $5::timestamptz as occurred_at, $6::text as external_id, $7::text as cause_key, $8::text as event_id
  ), known as (
    select id from app_users where ${isGroup ? `${isBrief} and ` : ""}id = $2 for key share
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, plane)
    select id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, '${plane}' from input
    where exists (select from known) ${plane === "client" ? isNoEarlierId("engagement_events") : ""}
    on conflict ${conflict} do nothing returning id
  ), inserted as (
    select array[id] as ids from written
  )`

const answerAlone = `
  select (select ids from inserted) as inserted,
         case when exists (select from known) then '{}'::int[] else '{0}' end as unknown_users`

/** The entry of the outbox for the events of `inserted`: their size and the time are placeholders. */
const queued = (bytes: string, now: string): string => `queued as (
    insert into outbox (topic, event_ids, bytes, created_at)
    select 'events', ids, ${bytes}::int, ${now} from inserted where ids is not null
  )`

// An id that exists is a fault of the caller, but not where the same events are written once more.
const anyConflict = ""

const group = { isGroup: true }

// Divides by zero where nothing was written: nobody waits for an answer.
const failUnlessWritten = "select 1 / (select count(*) from written)"

const makeStatements = (plane: WritingPlane, conflict: string) => ({
  groupQueued: `${written(plane, conflict, group)}, ${queued("$9", "$10")} ${answer}`,
  groupQueuedAgain: `${written(plane, anyConflict, group)}, ${queued("$9", "$10")} ${answer}`,
  groupOfOneQueued: `${writtenAlone(plane, conflict, group)}, ${queued("$9", "$10")} ${answerAlone}`,
  many: `${written(plane, conflict)} ${answer}`,
  manyQueued: `${written(plane, conflict)}, ${queued("$9", "$10")} ${answer}`,
  manyQueuedAgain: `${written(plane, anyConflict)}, ${queued("$9", "$10")} ${answer}`,
  one: `${writtenAlone(plane, conflict)} ${answerAlone}`,
  oneNew: `${writtenAlone(plane, conflict)} ${failUnlessWritten}`,
  oneQueued: `${writtenAlone(plane, conflict)}, ${queued("$9", "$10")} ${answerAlone}`,
  oneQueuedAgain: `${writtenAlone(plane, anyConflict)}, ${queued("$9", "$10")} ${answerAlone}`,
})

// Written in the order of their keys, so that two calls wait for each other in one direction only.
const caused = `
  with ${manyGiven(...heads, "cause_key")}, known as materialized (
    select id from app_users where id = any(array(select app_user_id from input)) order by id for key share
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, cause_key)
    select id, app_user_id, event_name, properties, occurred_at, cause_key from input
    where app_user_id in (select id from known) order by cause_key, ordinal
    on conflict (cause_key) where cause_key is not null do nothing returning id
  ), inserted as (
    select array_agg(id order by ordinal) as ids from written join input using (id)
  ), ${queued("$7", "$8")}
  select from inserted`

// The same for one event, without lists, joins or sorts: most calls cause one.
const causedAlone = `
  with known as (
    select id from app_users where id = $2 for key share
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, cause_key)
    select $1::uuid, id, $3::text, $4::jsonb, $5::timestamptz, $6::text from known
    on conflict (cause_key) where cause_key is not null do nothing returning id
  ), inserted as (
    select array[id] as ids from written
  ), ${queued("$7", "$8")}
  select from inserted`

/** The statements that write events which others have caused, and their entry of the outbox: many, or one. */
export const causedStatements = { many: caused, one: causedAlone }

/** The statements that write events, by the plane that they come from: one event, many, or a group of
 * several callers', with or without the outbox. */
export const insertStatements = {
  admin: makeStatements("admin", "(external_id)"),
  client: makeStatements("client", "(cause_key) where cause_key is not null"),
} as const
