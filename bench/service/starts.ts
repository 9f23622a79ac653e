import { atMost, type Figure, median } from "../harness/figure.ts"
import { emptyDataDir, removeDataDir, startService } from "../harness/service.ts"

const rounds = 5

/** From the start of the process to its first answer. */
export const starts = async (): Promise<ReadonlyArray<Figure>> => {
  const first: Array<number> = []
  const again: Array<number> = []
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = emptyDataDir()
    for (const times of [first, again]) {
      const service = await startService(dataDir)
      times.push(service.startMillis)
      await service.stop()
    }
    removeDataDir(dataDir)
  }
  return [
    atMost("First start, empty data folder, to the first answer", "ms", median(first), 5_000),
    atMost("Start on an existing data folder to the first answer", "ms", median(again), 1_500),
  ]
}
