import { Command } from "commander"
import { listenForStop } from "./stop-signal.ts"

/** `hearth start`: the server; without DATABASE_URL with its own database and worker. */
export const startCommand = (): Command =>
  new Command("start")
    .summary("start the server")
    .description(
      "Starts the server. Without DATABASE_URL it brings its own PostgreSQL, in DATA_DIR, and does the work of the worker too. Ctrl-C stops it in order.",
    )
    .action(async () => {
      const stopping = listenForStop()
      const { serve } = await import("../serve.ts")
      await serve(stopping)
    })
