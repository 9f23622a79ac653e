/**
 * The table, unlogged because counts may be lost in a crash, and the function that counts. Several processes may run this at
 * once, also ones of an earlier release, which know the first three columns only.
 */
export const CREATE = `
do $$
begin
  perform pg_advisory_xact_lock(hashtext('hearth_limits'));
  if to_regclass('hearth_limits.calls') is null then
    create schema if not exists hearth_limits;
    create unlogged table hearth_limits.calls (
      key text primary key,
      points integer not null default 0,
      expire bigint
    );
  end if;
  if not exists (
    select from pg_attribute
    where attrelid = 'hearth_limits.calls'::regclass and attname = 'held' and not attisdropped
  ) then
    alter table hearth_limits.calls add column held integer not null default 0;
  end if;
  if to_regproc('hearth_limits.take') is null then
    create function hearth_limits.take(names text[], amounts int[], limits int[], lengths int[], hold boolean)
    returns table (taken boolean, points int, held int, left_millis int, expire bigint)
    language plpgsql as $body$
    #variable_conflict use_column
    declare
      moment bigint := floor(extract(epoch from clock_timestamp()) * 1000);
      fits boolean;
    begin
      -- Locks all counters in the order of their names, so that two calls cannot deadlock.
      insert into hearth_limits.calls as c (key, points, expire)
        select name, 0, moment + length * 1000::bigint
        from unnest(names, lengths) as given(name, length) order by name
        on conflict (key) do update set
          points = case when c.expire <= moment then 0 else c.points end,
          held = case when c.expire <= moment then 0 else c.held end,
          expire = case when c.expire <= moment then excluded.expire else c.expire end;
      select bool_and(c.points::bigint + amount <= most) into fits
        from unnest(names, amounts, limits) as given(name, amount, most)
        join hearth_limits.calls c on c.key = name;
      if fits then
        update hearth_limits.calls c
          set points = c.points + amount, held = c.held + case when hold then amount else 0 end
          from unnest(names, amounts) as given(name, amount) where c.key = name;
      end if;
      return query
        select fits, c.points, c.held, greatest(c.expire - moment, 0)::int, c.expire
        from unnest(names) with ordinality as given(name, position)
        join hearth_limits.calls c on c.key = name
        order by position;
    end
    $body$;
  end if;
end
$$`

/** Adds points to all counters, or to none: names, points, limits, seconds, and whether an attempt holds them. */
export const TAKE = `
select taken, points, held, left_millis, expire::text
from hearth_limits.take($1::text[], $2::int[], $3::int[], $4::int[], $5)`

/** Ends an attempt in the windows that it took points from: names, points, ends of the windows, and whether to keep the points. */
export const SETTLE = `
with locked as materialized (
  select key from hearth_limits.calls where key = any($1::text[]) order by key for update
)
update hearth_limits.calls c
set held = greatest(c.held - amount, 0), points = case when $4 then c.points else greatest(c.points - amount, 0) end
from locked
join unnest($1::text[], $2::int[], $3::bigint[]) as given(name, amount, expire) on locked.key = name
where c.key = name and c.expire = given.expire`

/** Removes counters that have ended, but for those that are in use. */
export const REMOVE_ENDED = `
delete from hearth_limits.calls
where key in (
  select key from hearth_limits.calls
  where expire < extract(epoch from clock_timestamp()) * 1000
  limit 100000
  for update skip locked
)`
