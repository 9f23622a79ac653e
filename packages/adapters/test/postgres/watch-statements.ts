import pg from "pg"

/** A statement that the driver is about to write, one of several that are sent together too. */
export interface Sending {
  readonly text: string
  callback: (error: Error | null, answer?: unknown) => void
}

/** The driver's connection that a statement is written to. */
export interface Wire {
  readonly stream: { destroy(): void }
}

const driver = (pg.Query as unknown as { prototype: { submit(this: Sending, connection: Wire): unknown } }).prototype
const { submit } = driver

/** Calls `onStatement` before each statement of this process is written, until the answer is called. */
export const watchStatements = (onStatement: (statement: Sending, connection: Wire) => void): (() => void) => {
  driver.submit = function (connection) {
    onStatement(this, connection)
    return Reflect.apply(submit, this, [connection])
  }
  return () => {
    driver.submit = submit
  }
}
