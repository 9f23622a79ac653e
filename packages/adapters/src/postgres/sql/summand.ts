import { greatestSummand } from "@hearth/core/events"

/**
 * What a jsonb value adds to a sum [G0.8], as a numeric; null where it counts nothing. `sql` is evaluated several times. The
 * same as the core's `readSummand`; a test holds them to each other.
 */
export const summandSql = (sql: string): string =>
  // CASE keeps the cast from what is no number.
  `case when jsonb_typeof(${sql}) = 'number' then
     case when abs((${sql})::numeric) <= ${greatestSummand} then round((${sql})::numeric, 4) end end`
