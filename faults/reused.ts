import type { Figure } from "../bench/harness/figure.ts"
import { emptyDataDir, removeDataDir, type Service, startService } from "../bench/harness/service.ts"

const withService = async <A>(measure: (service: Service) => Promise<A>): Promise<A> => {
  const service = await startService(emptyDataDir())
  try {
    return await measure(service)
  } finally {
    await service.stop()
    removeDataDir(service.dataDir)
  }
}

/** How far apart logins with a known and with an unknown email are. */
export const loginTiming = async (attempts: number): Promise<ReadonlyArray<Figure>> => {
  const { loginGap } = await import("../bench/users/sign-in.ts")
  return [await withService((service) => loginGap(service, attempts))]
}

/** What exports cost in memory, and when their first byte comes. */
export const exportMemory = async (users: number): Promise<ReadonlyArray<Figure>> => {
  const { exportCosts } = await import("../bench/reach/exports.ts")
  return withService((service) => exportCosts(service, users))
}
