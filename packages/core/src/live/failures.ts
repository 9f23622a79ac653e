import { failure, RateLimitExceeded } from "../failure.ts"

/** This process has as many streams as it may have, in all or of this project, or is about to stop. `details.retry_after_seconds` is when to try again. */
export class StreamsFull extends failure(
  "StreamsFull",
  "unavailable",
  "SERVICE_UNAVAILABLE",
  "There are as many streams as this server may have. Try again.",
) {}

// Somebody has to end one first: it is no use to ask at once.
const retrySeconds = 10

/** The refusal of a caller who has as many streams as they may have. */
export const refuseStream = (most: number): RateLimitExceeded =>
  new RateLimitExceeded(
    { limit: most, retry_after_seconds: retrySeconds },
    `You have ${most} open streams, which is as many as you may have. Close one first.`,
  )

/** The refusal where a project has as many as it may have: what is left is for the others. */
export const refuseProject = (): StreamsFull =>
  new StreamsFull(
    { retry_after_seconds: retrySeconds },
    "There are as many streams of this project as it may have on this server. Try again.",
  )

/** The refusal where the process has too many. */
export const refuseAll = (isStopping: boolean): StreamsFull =>
  new StreamsFull(
    { retry_after_seconds: isStopping ? 1 : retrySeconds },
    isStopping ? "The service is being stopped. Try again." : undefined,
  )
