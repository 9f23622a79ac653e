import { setTimeout as sleep } from "node:timers/promises"
import { residentBytes } from "../harness/downloads.ts"
import { atMost, type Figure } from "../harness/figure.ts"
import { emptyDataDir, removeDataDir, startService } from "../harness/service.ts"

// By then the work of the start is done, and its memory is given back.
const pauseMillis = 20_000

/** The memory of a service with its worker that has been started on an existing folder, and that nobody calls. Without the database. */
export const idle = async (): Promise<ReadonlyArray<Figure>> => {
  const dataDir = emptyDataDir()
  await (await startService(dataDir)).stop()
  const service = await startService(dataDir)
  await sleep(pauseMillis)
  const megabytes = residentBytes(service.pid) / 1e6
  await service.stop()
  removeDataDir(dataDir)
  return [atMost("Server with worker, idle after a start: resident memory", "MB", megabytes, 130)]
}
