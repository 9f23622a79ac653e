/** How long the parts of a call may take, in milliseconds. Tests shorten them. */
export interface PushTiming {
  /** For a connection until the provider speaks. */
  readonly connectMillis: number
  /** For an answer from when the request was sent, and for a request until it is sent. */
  readonly answerMillis: number
  /** For how long messages of a batch are begun. */
  readonly beginMillis: number
  /** For a batch altogether. */
  readonly batchMillis: number
  /** After so long without a sign of the provider, a connection is asked whether it still is one before a push is entrusted to it. */
  readonly quietMillis: number
  /** For the answer to that. */
  readonly pingMillis: number
  /** After how long without use a connection is closed. */
  readonly idleMillis: number
}

/** A batch is answered within the 60 seconds that the port promises. */
export const pushTiming: PushTiming = {
  connectMillis: 5_000,
  answerMillis: 10_000,
  beginMillis: 38_000,
  batchMillis: 59_000,
  quietMillis: 15_000,
  pingMillis: 3_000,
  idleMillis: 60_000,
}
