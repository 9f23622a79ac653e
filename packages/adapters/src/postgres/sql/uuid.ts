/**
 * A uuid of version 7 [A10] for a row that a statement makes: the time, then the number of the row, so that the keys are written in
 * their order, then chance. Numbers go from 1 to 2^26 - 1.
 */
export const uuidSql = (millis: string, number: string): string => `(
  lpad(to_hex(${millis}), 12, '0') || '7' || lpad(to_hex(${number} >> 14), 3, '0')
  || to_hex(32768 | (${number} & 16383)) || right(gen_random_uuid()::text, 12))::uuid`
