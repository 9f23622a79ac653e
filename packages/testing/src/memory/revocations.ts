import type { RevocationSubscriber, Revocations } from "@hearth/core"
import { Effect } from "effect"

/** Revocations in memory, as one process of an installation sees them. */
export interface MemoryRevocations extends Revocations {
  /** The same installation as another process sees it. It hears of a change after 50 milliseconds. */
  otherProcess(): MemoryRevocations
  /** Makes this process deaf. When it hears again, it forgets everything, as after a new connection. */
  makeDeaf(isDeaf: boolean): void
}

interface Process {
  readonly subscribers: Set<RevocationSubscriber>
  isDeaf: boolean
}

// As long as a process gathers changes before it tells the others.
const gatherTime = "50 millis"

const tell = (process: Process, ids: ReadonlyArray<string>) => {
  for (const subscriber of process.subscribers) subscriber.forget(ids)
}

const joinInstallation = (processes: Set<Process>): MemoryRevocations => {
  const own: Process = { subscribers: new Set(), isDeaf: false }
  processes.add(own)
  const tellOthers = (ids: ReadonlyArray<string>) =>
    Effect.sync(() => {
      for (const process of processes) if (process !== own && !process.isDeaf) tell(process, ids)
    })
  return {
    announce: (ids) =>
      Effect.suspend(() => {
        tell(own, ids)
        if (processes.size === 1) return Effect.void
        return Effect.asVoid(Effect.forkDetach(Effect.andThen(Effect.sleep(gatherTime), tellOthers(ids))))
      }),
    subscribe: (subscriber) => void own.subscribers.add(subscriber),
    isHearing: () => !own.isDeaf,
    otherProcess: () => joinInstallation(processes),
    makeDeaf: (isDeaf) => {
      if (own.isDeaf && !isDeaf) for (const subscriber of own.subscribers) subscriber.forgetAll()
      own.isDeaf = isDeaf
    },
  }
}

/** The revocations of a new installation, as its first process sees them. */
export const memoryRevocations = (): MemoryRevocations => joinInstallation(new Set())
