import { setTimeout as pause } from "node:timers/promises"
import type { Connection } from "../connections/connection.ts"

/** An advisory lock of a session, in the database that it is connected to. Closing the connection releases it. */
export interface AdvisoryLock {
  readonly space: number
  /** What is locked within the space. */
  readonly key: string
}

/** The lock of the control schema and the template. "hear", "prov": a pair that no other program is likely to use. */
export const serverLock: AdvisoryLock = { space: 1751474546, key: "1886547830" }

/** The lock under which the database of a project is created and dropped, in the control database. */
export const projectLock = (database: string): AdvisoryLock => ({ space: 1751474547, key: database })

/** The lock under which a database is migrated, in that database. */
export const schemaLock: AdvisoryLock = { space: 1751474546, key: "1835624306" }

const pollMillis = 100

const call = async (connection: Connection, name: string, { space, key }: AdvisoryLock): Promise<boolean> => {
  const number = /^\d+$/.test(key) ? "$2::int" : "hashtext($2)"
  const { rows } = await connection.run({ text: `select ${name}($1::int, ${number}) as done`, values: [space, key] })
  return (rows[0] as { readonly done: boolean }).done
}

/**
 * Takes a lock, for which it asks again and again: a session that waits in `pg_advisory_lock` has a snapshot, and an index
 * that is built concurrently in the same database would wait for it. False where it was not free within `millis`.
 */
export const takeLock = async (connection: Connection, lock: AdvisoryLock, millis: number): Promise<boolean> => {
  const until = performance.now() + millis
  while (!(await call(connection, "pg_try_advisory_lock", lock))) {
    if (performance.now() >= until) return false
    await pause(pollMillis)
  }
  return true
}

/** Releases a lock before the connection ends. */
export const releaseLock = async (connection: Connection, lock: AdvisoryLock): Promise<void> => {
  await call(connection, "pg_advisory_unlock", lock)
}
