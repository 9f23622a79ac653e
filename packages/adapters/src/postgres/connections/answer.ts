/** What a statement answered. */
export interface Answer {
  readonly rows: ReadonlyArray<unknown>
  readonly rowCount: number
}
