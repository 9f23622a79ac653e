import { clockToleranceMillis } from "@hearth/core"

// No run that died is tried again later than this.
const LONGEST_PAUSE = 3_600_000

/**
 * Sets right what a clock has written that was ahead, which all others would wait for until then: when runs of killed workers were last
 * looked for, the locks of these runs, and runs that were put off for a while. What was put off to an instant asks for itself again where
 * it comes too early. `$1` is the queue, `$2` how long a lock lasts. By the clock of the database, so that no clock that is behind
 * takes what is right for wrong.
 */
export const FORGET_FUTURE = `
  with present as materialized (
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms
  ), looks as (
    delete from meta using present
    where queue = $1 and case when field = 'stalled-check' then value::bigint > ms + ${clockToleranceMillis} else false end
  ), locks as (
    update job set locked_until_ms = ms + $2::bigint from present
    where queue = $1 and state = 'active' and locked_until_ms > ms + $2::bigint + ${clockToleranceMillis}
  )
  update job set added_at_ms = least(added_at_ms, ms),
    process_at_ms = case when added_at_ms > ms + ${clockToleranceMillis} then ms + process_at_ms - added_at_ms else ms end
  from present
  where queue = $1 and state = 'delayed' and scheduler_id is null and process_at_ms > ms + ${clockToleranceMillis}
    and (added_at_ms > ms + ${clockToleranceMillis} or (attempts_made > 0 and process_at_ms > ms + ${LONGEST_PAUSE}))`
