/** How much is logged, the most first. */
export const logLevels = ["debug", "info", "warn", "error"] as const

/** How important a line of the log is. */
export type LogLevel = (typeof logLevels)[number]

/** Facts about one line of the log. They carry no credentials and no personal data. */
export type LogFacts = Readonly<Record<string, unknown>>

/** Writes a line to the log. Never fails. */
export type Log = (level: LogLevel, message: string, facts?: LogFacts) => void

/** A log of JSON lines: `time`, `level`, `message`, and the facts. Lines below `least` are left out. */
export const jsonLog = (least: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log => {
  const threshold = logLevels.indexOf(least)
  return (level, message, facts = {}) => {
    if (logLevels.indexOf(level) < threshold) return
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...facts })}\n`)
  }
}
