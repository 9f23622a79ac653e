/** How much is logged, the most first. */
export const logLevels = ["debug", "info", "warn", "error"] as const

/** How lines of the log are written. */
export const logFormats = ["text", "json"] as const

/** How important a line of the log is. */
export type LogLevel = (typeof logLevels)[number]

/** Facts about one line of the log. They carry no credentials and no personal data. */
export type LogFacts = Readonly<Record<string, unknown>>

/** Writes a line to the log. Never fails. */
export type Log = (level: LogLevel, message: string, facts?: LogFacts) => void

/** Where a log is written: a stream, of which a terminal says so. */
export interface LogTarget {
  readonly isTTY?: boolean
  readonly hasColors?: () => boolean
  write(text: string): unknown
}

/** How a log is written. */
export interface LogOptions {
  /** Lines below it are left out. */
  readonly level: LogLevel
  /** Text on a terminal and JSON elsewhere, where it is null. */
  readonly format: (typeof logFormats)[number] | null
  /** Standard error where left out. */
  readonly target?: LogTarget
}

const colors = { debug: 90, info: 32, warn: 33, error: 31 } as const

// What callers sent may be in a fact: nothing of it may begin a line or move the cursor of a terminal.
const plain = /^[^\s"=\p{Cc}\p{Cf}]+$/u
const unprintable = /[\p{Cc}\p{Cf}]/gu
const escapeUnprintable = (text: string) =>
  text.replace(unprintable, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)

const writeValue = (value: unknown): string =>
  typeof value === "string" && plain.test(value) ? value : escapeUnprintable(JSON.stringify(value) ?? "")

const pad = (value: number, length = 2) => String(value).padStart(length, "0")

const writeTime = (at: Date) =>
  `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}.${pad(at.getMilliseconds(), 3)}`

/** A line for people. A fact of several lines, such as a stack, follows with its lines indented. */
const formatText = (paint: (code: number, text: string) => string) => {
  const dim = (text: string) => paint(90, text)
  return (level: LogLevel, message: string, facts: LogFacts): string => {
    // Undefined is left out of JSON, too.
    const given = Object.entries(facts).filter(([, value]) => value !== undefined)
    const isLong = ([, value]: readonly [string, unknown]) => typeof value === "string" && value.includes("\n")
    const short = given.filter((fact) => !isLong(fact)).map(([name, value]) => `${dim(`${name}=`)}${writeValue(value)}`)
    const long = given.filter(isLong).map(([name, value]) => {
      const lines = String(value).split("\n").map(escapeUnprintable)
      return `  ${dim(`${name}:`)}\n${lines.map((line) => `    ${line}`).join("\n")}\n`
    })
    const head = [dim(writeTime(new Date())), paint(colors[level], level.padEnd(5)), escapeUnprintable(message)]
    return `${[...head, ...short].join(" ")}\n${long.join("")}`
  }
}

const formatJson = (level: LogLevel, message: string, facts: LogFacts): string =>
  `${JSON.stringify({ time: new Date().toISOString(), level, message, ...facts })}\n`

/**
 * A log of lines: text for people on a terminal, in colours where it has them and NO_COLOR is not set; elsewhere JSON with `time`,
 * `level`, `message`, and the facts.
 */
export const openLog = ({ level, format, target = process.stderr }: LogOptions): Log => {
  const isTerminal = target.isTTY === true
  const isText = format === null ? isTerminal : format === "text"
  const isColored = isTerminal && target.hasColors?.() === true
  const paint = (code: number, text: string) => (isColored ? `\u001b[${code}m${text}\u001b[0m` : text)
  const write = isText ? formatText(paint) : formatJson
  const threshold = logLevels.indexOf(level)
  return (each, message, facts = {}) => {
    if (logLevels.indexOf(each) >= threshold) target.write(write(each, message, facts))
  }
}
