import { randomBytes } from "node:crypto"
import { type ConnectionSettings, urlOf } from "../connections/connection.ts"
import { migrate } from "./migrate.ts"
import { ormOf } from "./orm.ts"
import type { Schema } from "./schema.ts"
import { createEmpty, execute, quoteIdentifier, withConnection } from "./server.ts"

/** The SQL that leads from the last step of a schema to its entities; empty where there is no difference. */
const missingSql = async (schema: Schema, settings: ConnectionSettings, database: string): Promise<string> => {
  await withConnection(settings, database, (connection) => migrate(connection, schema, { isNew: true }))
  const orm = ormOf(schema, urlOf(settings.url, database))
  try {
    return (await orm.schema.getUpdateSchemaSQL({ wrap: false })).trim()
  } finally {
    await orm.close(true)
  }
}

const nextNumber = ({ steps }: Schema): string => `${Number(steps.at(-1)?.name.slice(0, 4) ?? 0) + 1}`.padStart(4, "0")

/**
 * For each schema, by the name of its database, the SQL that its next step needs, under the name that the step
 * would have. Uses a database of its own on the server of `databaseUrl` for each, and always removes it.
 */
export const describeMissingSteps = async (
  databaseUrl: string,
  name: string,
  schemas: Readonly<Record<string, Schema>>,
): Promise<string> => {
  const url = new URL(databaseUrl)
  const settings: ConnectionSettings = { url, connectMillis: 5_000, statementMillis: 0, idleInTransactionMillis: 0 }
  const described: Array<string> = []
  for (const [called, schema] of Object.entries(schemas)) {
    const scratch = `hearth_scratch_${randomBytes(5).toString("hex")}`
    const sql = await withConnection(settings, "postgres", async (connection) => {
      try {
        await createEmpty(connection, scratch)
        return await missingSql(schema, settings, scratch)
      } finally {
        await execute(connection, `drop database if exists ${quoteIdentifier(scratch)} with (force)`)
      }
    })
    described.push(
      sql === "" ? `-- ${called}: nothing is missing.` : `-- ${called}: ${nextNumber(schema)}-${name}\n${sql}`,
    )
  }
  return `${described.join("\n\n")}\n`
}
