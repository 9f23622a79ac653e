const batch = `
  batch as materialized (
    select * from jsonb_to_recordset($1::jsonb)
      as rows (id uuid, app_user_id uuid, event_name text, occurred_at timestamptz)
  )`

/** Adds the periods in `done` to the streaks of their users. */
export const addToStreaks = `
  insert into user_streaks as s (id, app_user_id, streak_definition_id, current_count, longest_count, freezes_remaining,
    status, last_period, settled_period, last_event_at, expires_at, updated_at)
  select gen_random_uuid(), app_user_id, $2::uuid, count(*), count(*), 0, 'active', max(period_key), max(period_key),
    max(occurred_at), max(period_key) + interval '2 days', now() from done group by app_user_id
  on conflict (app_user_id, streak_definition_id) do update set
    current_count = s.current_count + excluded.current_count, longest_count = s.longest_count + excluded.longest_count,
    last_period = excluded.last_period, settled_period = excluded.settled_period,
    last_event_at = excluded.last_event_at, expires_at = excluded.expires_at, updated_at = excluded.updated_at`

/** Counts events for a daily streak: what was counted, periods, and the streaks that follow from them. */
export const countEvents = `
  with ${batch}, counted as (
    insert into qualifying_events (app_user_id, streak_definition_id, occurred_at, day, events)
    select app_user_id, $2::uuid, occurred_at, min(occurred_at::date), count(*) from batch group by app_user_id, occurred_at
    on conflict do nothing
  ), done as (
    insert into streak_events (app_user_id, streak_definition_id, period_key, kind, occurred_at)
    select distinct on (b.app_user_id, b.occurred_at::date) b.app_user_id, $2::uuid, b.occurred_at::date, 'done',
      b.occurred_at
    from batch b order by b.app_user_id, b.occurred_at::date, b.occurred_at
    on conflict do nothing returning app_user_id, period_key, occurred_at
  )${addToStreaks}`

/** Gives 10 XP for each event: the ledger, totals, sums by day, and the events that tell of it. */
export const giveXp = `
  with ${batch}, entries as (
    insert into xp_entries
      (id, app_user_id, amount, source, reference_id, cause_key, occurred_at, created_at, is_ranked)
    select gen_random_uuid(), app_user_id, 10, 'event', id::text, 'events/' || id, occurred_at, now(), true from batch
    on conflict (cause_key) do nothing returning id, app_user_id, amount, reference_id, occurred_at
  ), sums as (
    select app_user_id, sum(amount)::float8 as sum from entries group by app_user_id
  ), totals as (
    insert into xp_totals as t (app_user_id, total, highest_total) select app_user_id, sum, sum from sums
    on conflict (app_user_id) do update
    set total = t.total + excluded.total, highest_total = greatest(t.highest_total, t.total + excluded.total)
    returning app_user_id, total
  ), days as (
    insert into xp_days as d (app_user_id, event_name, day, amount)
    select app_user_id, 'lesson_completed', occurred_at::date, sum(amount) from entries group by app_user_id, occurred_at::date
    on conflict (app_user_id, event_name, day) do update set amount = d.amount + excluded.amount
  ), running as (
    select e.*, t.total - s.sum + sum(e.amount) over (partition by e.app_user_id order by e.occurred_at, e.id) as total
    from entries e join totals t using (app_user_id) join sums s using (app_user_id)
  ), told as (
    insert into engagement_events (id, app_user_id, event_name, properties, occurred_at, cause_key)
    select gen_random_uuid(), app_user_id, 'xp_awarded',
      jsonb_build_object('amount', amount, 'source', 'event', 'reference_id', reference_id, 'total', total),
      occurred_at, 'xp/' || id || '/xp_awarded' from running
    union all
    select gen_random_uuid(), app_user_id, 'level_reached', '{"name": "First", "xp_required": 100}', occurred_at,
      'xp/' || app_user_id || '/100/level_reached' from running where total >= 100 and total - amount < 100
    returning id
  )
  insert into outbox (topic, event_ids, bytes, created_at) select 'events', array_agg(id), 0, now() from told`

/** Unlocks an achievement for those of the users who have so many events. */
export const unlock = `
  with ${batch}
  insert into user_achievements (id, app_user_id, achievement_id, unlocked_at)
  select gen_random_uuid(), app_user_id, $2::uuid, now() from engagement_events
  where event_name = 'lesson_completed' and app_user_id in (select app_user_id from batch)
    and not exists (
      select from user_achievements u
      where u.app_user_id = engagement_events.app_user_id and u.achievement_id = $2::uuid
    )
  group by app_user_id having count(*) >= $3::int
  on conflict do nothing`

/** Adds 10 XP for each event to the scores of the week. */
export const addScores = `
  with ${batch}
  insert into leaderboard_scores as s
    (leaderboard_id, version, window_start, app_user_id, score, reached_at, is_listed)
  select l.id, l.version, date_trunc('week', b.occurred_at at time zone 'UTC')::date, b.app_user_id, 10 * count(*),
    max(b.occurred_at), true
  from batch b, leaderboards l where l.id = $2::uuid
  group by l.id, l.version, date_trunc('week', b.occurred_at at time zone 'UTC'), b.app_user_id
  order by b.app_user_id
  on conflict (leaderboard_id, version, window_start, app_user_id) do update
  set score = s.score + excluded.score, reached_at = greatest(s.reached_at, excluded.reached_at)`

/** Marks everything as handled. */
export const handled = "delete from outbox"
