import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/** The uses of apps that are measured. Heartbeats change no column of an index, so that they add nothing to any. */
export const TrackingSession = defineEntity({
  name: "TrackingSession",
  tableName: "tracking_sessions",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action"),
    session_id: p.text(),
    started_at: p.datetime(3),
    ended_at: p.datetime(3).nullable(),
    duration_seconds: p.integer().check("duration_seconds >= 0"),
    platform: p.text().nullable(),
    app_version: p.text().nullable(),
    device_model: p.text().nullable(),
    metadata: p.json(),
    last_seen_at: p.datetime(3),
    check_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "session_id"] }],
  indexes: [
    { properties: ["started_at"] },
    { name: "tracking_sessions_open_index", properties: ["check_at"], where: "ended_at is null" },
  ],
})

/** The table of sessions. Pages have room for the heartbeats of their rows. */
export const trackingSessions = schemaStep("0022-tracking-sessions", [
  `create table tracking_sessions (
    id uuid primary key,
    app_user_id uuid not null constraint tracking_sessions_app_user_id_foreign references app_users on delete cascade,
    session_id text not null,
    started_at timestamptz(3) not null,
    ended_at timestamptz(3),
    duration_seconds int not null
      constraint tracking_sessions_duration_seconds_check check (duration_seconds >= 0),
    platform text,
    app_version text,
    device_model text,
    metadata jsonb not null,
    last_seen_at timestamptz(3) not null,
    check_at timestamptz(3) not null,
    constraint tracking_sessions_app_user_id_session_id_unique unique (app_user_id, session_id)
  ) with (fillfactor = 85)`,
  "create index tracking_sessions_started_at_index on tracking_sessions (started_at)",
  "create index tracking_sessions_open_index on tracking_sessions (check_at) where ended_at is null",
])
