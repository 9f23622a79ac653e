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

/** The part of a BullMQ worker that starts and stops it. */
export interface RunWorker {
  on(event: "error", listener: (error: Error) => void): unknown
  waitUntilReady(): Promise<void>
  run(): Promise<void>
  pause(doNotWaitActive: true): Promise<void>
  /** Waits for the runs and until their results are stored; with `force` for neither. */
  close(force?: boolean): Promise<void>
  /** Stops reconnecting, so that `close` can end. */
  abandon(): void
}

/** Settings of a worker, apart from its backend. */
export type WorkerSettings = Pick<WorkerOptions, "concurrency" | "lockDuration" | "maxStalledCount" | "stalledInterval">

/** A backend of a queue: Redis or PostgreSQL. Its promises reject, or take long, when the backend cannot be reached. */
export interface Link {
  /** The queue for producers. It is opened on the first call, and again after a failure. */
  queue(): Promise<RunQueue>
  /** Drops the run that waits for a running one to end. */
  dropFollowUp(key: string): Promise<unknown>
  /** How many runs are due and have not begun, and since when the oldest is, in milliseconds. */
  backlog(now: number): Promise<{ readonly waiting: number; readonly oldestDueAt: number | null }>
  ping(): Promise<unknown>
  /** A worker with connections of its own. It is not started. */
  worker(process: Processor<RunData, void>, settings: WorkerSettings): Promise<RunWorker>
  /** Closes the queue for producers. */
  close(): Promise<void>
}
