/** One way of hashing passwords. Hashing and verifying run on libuv's threads, never on the event loop. */
export interface Algorithm {
  /** A well-formed hash with today's parameters that belongs to no password. Verifying it costs what verifying a real one costs. */
  readonly dummy: string
  /** Whether `hash` is one of this algorithm's, with any parameters. */
  readonly reads: (hash: string) => boolean
  /** Whether `hash` is one of this algorithm's with the parameters that a new one would get. */
  readonly isCurrent: (hash: string) => boolean
  readonly hash: (password: string) => Promise<string>
  readonly verify: (password: string, hash: string) => Promise<boolean>
}
