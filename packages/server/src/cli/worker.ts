import { Command } from "commander"
import { listenForStop } from "./stop-signal.ts"

/** `hearth worker`: a process for what happens in the background. */
export const workerCommand = (): Command =>
  new Command("worker")
    .summary("start a worker")
    .description(
      "Starts a worker for the servers that share its DATABASE_URL: reactions to events, deadlines, campaigns. Any number may run. A server without DATABASE_URL needs none.",
    )
    .action(async () => {
      const stopping = listenForStop()
      const { work } = await import("@hearth/worker")
      await work(stopping)
    })
