/** How far back the page looks. */
export interface Range {
  readonly days: number
  readonly name: string
}

/** The ranges to choose from, by what the address calls them. */
export const ranges = {
  "24h": { days: 1, name: "24 hours" },
  "7d": { days: 7, name: "7 days" },
  "30d": { days: 30, name: "30 days" },
  "90d": { days: 90, name: "90 days" },
  "12m": { days: 365, name: "12 months" },
} as const satisfies Record<string, Range>

/** What the address says, or 30 days. */
export const readRange = (text: string | undefined): keyof typeof ranges =>
  text !== undefined && Object.hasOwn(ranges, text) ? (text as keyof typeof ranges) : "30d"

/** So many days up to now, with both ends said: a range that has no end may be a moment too long. */
export const toSpan = (days: number): { readonly since: string; readonly until: string } => {
  const now = Date.now()
  return { since: new Date(now - days * 86_400_000).toISOString(), until: new Date(now).toISOString() }
}
