import type { WritingPlane } from "@hearth/core/events"

// How long a statement of several callers waits for a lock. What is set is read whenever a lock has to be waited for, and it ends with
// the transaction, which is this statement.
const briefly = `patience as materialized (
    select set_config('lock_timeout', '250', true) as millis
  ), `
const isBrief = "(select millis from patience) is not null"

// The users are locked against removal first, so that none can be removed between the check and the write. The events are
// written in the order of their keys: two calls with the same ones wait for each other in one direction only. Within a call
// the first of them wins. A call is all or nothing; of a group, which holds events of several callers, only those of users who are
// not there are left out.
const written = (plane: string, isNew: string, conflict: string, { isGroup = false } = {}) => `
  with ${isGroup ? briefly : ""}input as materialized (
    select * from rows from (
      jsonb_to_recordset($1::jsonb) as (id uuid, app_user_id uuid, event_name text, properties jsonb,
                                        occurred_at timestamptz, external_id text, cause_key text, event_id text)
    ) with ordinality as events (id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, event_id, ordinal)
  ), known as materialized (
    select id from app_users where ${isGroup ? `${isBrief} and ` : ""}id in (select app_user_id from input) order by id for key share
  ), unknown as materialized (
    select ordinal from input where not exists (select from known where known.id = input.app_user_id)
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, plane)
    select id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, '${plane}' from input
    where ${isGroup ? "ordinal not in (select ordinal from unknown)" : "not exists (select from unknown)"} ${isNew} order by external_id, cause_key, ordinal
    on conflict ${conflict} do nothing returning id
  ), inserted as (
    select array_agg(id order by ordinal) as ids from written join input using (id)
  )`

const answer = `
  select (select ids::text from inserted) as inserted, array(select ordinal::int - 1 from unknown order by ordinal) as unknown_users`

// The same for one event, without reading JSON: apps send most events one by one.
const writtenAlone = (plane: string, isNew: string, conflict: string, { isGroup = false } = {}) => `
  with ${isGroup ? briefly : ""}input as (
    select $1::uuid as id, $2::uuid as app_user_id, $3::text as event_name, $4::jsonb as properties,
      $5::timestamptz as occurred_at, $6::text as external_id, $7::text as cause_key, $8::text as event_id
  ), known as (
    select id from app_users where ${isGroup ? `${isBrief} and ` : ""}id = $2 for key share
  ), written as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, plane)
    select id, app_user_id, event_name, properties, occurred_at, external_id, cause_key, '${plane}' from input
    where exists (select from known) ${isNew}
    on conflict ${conflict} do nothing returning id
  ), inserted as (
    select array[id] as ids from written
  )`

const answerAlone = `
  select (select ids::text from inserted) as inserted,
         case when exists (select from known) then '{}'::int[] else '{0}' end as unknown_users`

/** The entry of the outbox for the events of `inserted`: their size and the time are placeholders. */
export const queued = (bytes: string, now: string): string => `queued as (
    insert into outbox (topic, event_ids, bytes, created_at)
    select 'events', ids, ${bytes}::int, ${now} from inserted where ids is not null
  )`

// Releases before wrote the ids of apps like those of developers, and said of no event who had written it. Such an id counts
// as the user's own.
const isNoEarlierId = `and not exists (
      select from engagement_events e
      where e.external_id = input.event_id and e.app_user_id = input.app_user_id and e.plane is null
    )`

// An id that exists is a fault of the caller, but not where the same events are written once more.
const anyConflict = ""

const group = { isGroup: true }

// Divides by zero where nothing was written: nobody waits for an answer.
const failUnlessWritten = "select 1 / (select count(*) from written)"

const makeStatements = (plane: WritingPlane, isNew: string, conflict: string) => ({
  groupQueued: `${written(plane, isNew, conflict, group)}, ${queued("$2", "$3")} ${answer}`,
  groupQueuedAgain: `${written(plane, isNew, anyConflict, group)}, ${queued("$2", "$3")} ${answer}`,
  groupOfOneQueued: `${writtenAlone(plane, isNew, conflict, group)}, ${queued("$9", "$10")} ${answerAlone}`,
  many: `${written(plane, isNew, conflict)} ${answer}`,
  manyQueued: `${written(plane, isNew, conflict)}, ${queued("$2", "$3")} ${answer}`,
  manyQueuedAgain: `${written(plane, isNew, anyConflict)}, ${queued("$2", "$3")} ${answer}`,
  one: `${writtenAlone(plane, isNew, conflict)} ${answerAlone}`,
  oneNew: `${writtenAlone(plane, isNew, conflict)} ${failUnlessWritten}`,
  oneQueued: `${writtenAlone(plane, isNew, conflict)}, ${queued("$9", "$10")} ${answerAlone}`,
  oneQueuedAgain: `${writtenAlone(plane, isNew, anyConflict)}, ${queued("$9", "$10")} ${answerAlone}`,
})

/** The statements that write events, by the plane that they come from: one event, many, or a group of
 * several callers', with or without the outbox. */
export const insertStatements = {
  admin: makeStatements("admin", "", "(external_id)"),
  client: makeStatements("client", isNoEarlierId, "(cause_key) where cause_key is not null"),
} as const
