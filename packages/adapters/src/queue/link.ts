import type { Processor, Queue, WorkerOptions } from "bullmq"
import type { RunData } from "./job.ts"

/** The part of a BullMQ queue that producers use. It is the same on Redis and on PostgreSQL. */
export type RunQueue = Pick<
  Queue<RunData>,
  | "add"
  | "getDeduplicationJobId"
  | "getJob"
  | "getJobScheduler"
  | "remove"
  | "removeJobScheduler"
  | "upsertJobScheduler"
>

/** The part of a BullMQ worker that keeps it going. */
export interface RunWorker {
  on(event: "error", listener: (error: Error) => void): unknown
  waitUntilReady(): Promise<void>
  run(): Promise<void>
  pause(doNotWaitActive: true): Promise<void>
  /** Waits for the runs, and for their ends to be written down; by `force` for neither. */
  close(force?: boolean): Promise<void>
  /** From here on it stops looking for a lost connection, so that `close` can end. */
  abandon(): void
}

/** How a worker works, apart from where its queue lives. */
export type WorkerSettings = Pick<WorkerOptions, "concurrency" | "lockDuration" | "maxStalledCount" | "stalledInterval">

/** One place where a queue lives. Its promises reject, or take their time, when that place cannot be reached. */
export interface Link {
  /** The producers' end. It is opened when it is first asked for, and again where that failed. */
  queue(): Promise<RunQueue>
  /** Drops the run that is kept back until a running one has ended. */
  dropFollowUp(key: string): Promise<unknown>
  /** How many runs are due and have not begun, and since when the oldest is, in milliseconds. */
  backlog(now: number): Promise<{ readonly waiting: number; readonly oldestDueAt: number | null }>
  ping(): Promise<unknown>
  /** A worker with connections of its own, which does not run yet. */
  worker(process: Processor<RunData, void>, settings: WorkerSettings): Promise<RunWorker>
  /** Closes the producers' end. */
  close(): Promise<void>
}
