import { startEmbeddedDatabase } from "../../src/embedded/index.ts"

/** Run by `fork` as a process of its own: starts the database of argv[2], sends the result, and stops on any message. */
const [, , options = "{}"] = process.argv
try {
  const { stop, ...database } = await startEmbeddedDatabase(JSON.parse(options))
  process.on("message", async () => {
    await stop()
    process.disconnect()
  })
  process.send?.(database)
} catch (error) {
  process.send?.({ failure: String(error) }, () => process.disconnect())
}
