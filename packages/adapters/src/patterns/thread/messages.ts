/** A match that the thread is asked for: patterns as for `compileSet`, and a text. */
export interface MatchRequest {
  readonly id: number
  readonly patterns: ReadonlyArray<string>
  readonly bytes: number
  readonly text: string
}

/** The places, in `patterns`, of those that were found. */
export interface MatchAnswer {
  readonly id: number
  readonly found: ReadonlyArray<number>
}
