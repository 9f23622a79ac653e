import { schemaStep } from "../migration.ts"

const ofUser = (table: string) =>
  `app_user_id uuid not null constraint ${table}_app_user_id_foreign references app_users on delete cascade`

const segments = [
  // MikroORM declares `on update cascade` for foreign keys that are part of a primary key.
  `create table segment_memberships (
    segment_id uuid not null
      constraint segment_memberships_segment_id_foreign references segments on update cascade on delete cascade,
    app_user_id uuid not null
      constraint segment_memberships_app_user_id_foreign references app_users on update cascade on delete cascade,
    is_manual boolean not null,
    added_at timestamptz(3) not null,
    primary key (segment_id, app_user_id)
  )`,
  `create index segment_memberships_app_user_id_index on segment_memberships (app_user_id)`,
]

const events = [
  `create index engagement_events_event_name_occurred_at_id_index on engagement_events (event_name, occurred_at, id)`,
]

const achievements = [
  `create table achievements (
    id uuid primary key,
    key text not null constraint achievements_key_unique unique,
    name text not null,
    description text,
    icon_url text,
    xp_reward int not null constraint achievements_xp_reward_check check (xp_reward >= 0),
    criteria jsonb not null,
    is_hidden boolean not null,
    sort_order int not null,
    is_active boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create table user_achievements (
    id uuid primary key,
    ${ofUser("user_achievements")},
    achievement_id uuid not null
      constraint user_achievements_achievement_id_foreign references achievements on delete cascade,
    unlocked_at timestamptz(3) not null,
    constraint user_achievements_app_user_id_achievement_id_unique unique (app_user_id, achievement_id)
  )`,
  `create index user_achievements_achievement_id_index on user_achievements (achievement_id)`,
]

const leaderboards = [
  `create table leaderboards (
    id uuid primary key,
    name text not null,
    metric text not null
      constraint leaderboards_metric_check check (metric in ('xp', 'streak_length', 'custom')),
    period text not null
      constraint leaderboards_period_check check (period in ('all_time', 'daily', 'weekly', 'monthly')),
    max_entries int not null constraint leaderboards_max_entries_check check (max_entries > 0),
    custom_event text,
    is_active boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create table leaderboard_entries (
    id uuid primary key,
    leaderboard_id uuid not null
      constraint leaderboard_entries_leaderboard_id_foreign references leaderboards on delete cascade,
    ${ofUser("leaderboard_entries")},
    window_start date not null,
    score double precision not null,
    rank int,
    reached_at timestamptz(3) not null,
    constraint leaderboard_entries_place_unique unique (leaderboard_id, window_start, app_user_id)
  )`,
  `create index leaderboard_entries_app_user_id_index on leaderboard_entries (app_user_id)`,
  `create index leaderboard_entries_leaderboard_id_window_start_rank_index
     on leaderboard_entries (leaderboard_id, window_start, rank)`,
]

const pushTokens = [
  `create table push_tokens (
    id uuid primary key,
    ${ofUser("push_tokens")},
    platform text not null constraint push_tokens_platform_check check (platform in ('ios', 'android', 'web')),
    provider text not null constraint push_tokens_provider_check check (provider in ('push_a', 'push_b')),
    token text not null constraint push_tokens_token_unique unique,
    is_active boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create index push_tokens_app_user_id_index on push_tokens (app_user_id)`,
]

// Each event updates `last_seen_at` of its user: with room left in a page, that writes into no index.
const users = ["alter table app_users set (fillfactor = 80)"]

/** Members of segments, and the tables of later features, which exports read. */
export const dataPlane = schemaStep("0003-data-plane", [
  ...users,
  ...segments,
  ...events,
  ...achievements,
  ...leaderboards,
  ...pushTokens,
])
