import type { TransactionOptions } from "@hearth/core"
import { Cause, Effect, Exit } from "effect"
import pg from "pg"
import { describe, expect, it } from "vitest"
import type { Answer } from "../../../src/postgres/connections/answer.ts"
import type { Connection } from "../../../src/postgres/connections/connection.ts"
import { ConnectionLost } from "../../../src/postgres/connections/connection-lost.ts"
import type { Connections } from "../../../src/postgres/connections/connections.ts"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { inTransaction } from "../../../src/postgres/connections/transaction.ts"

const nothing: Answer = { rows: [], rowCount: 0 }

const databaseError = (code: string) => Object.assign(new pg.DatabaseError(code, 0, "error"), { code })

/** A connection whose statements are answered by hand, in their order. */
const scripted = () => {
  const sent: Array<string> = []
  const waiting: Array<PromiseWithResolvers<Answer>> = []
  const released: Array<Connection> = []
  const connection: Connection = {
    database: "scripted",
    run: ({ text }) => {
      sent.push(text.startsWith("begin") ? "begin" : text)
      const answer = Promise.withResolvers<Answer>()
      waiting.push(answer)
      return answer.promise
    },
    isFresh: () => true,
    close: async () => {},
  }
  const connections: Connections = {
    enter: async () => () => {},
    acquire: async () => connection,
    release: (taken) => {
      released.push(taken)
    },
    forget: async () => {},
    confirmMillis: 50,
    isRemoved: async () => false,
    noteRefused: () => {},
    figures: () => ({ databases: 0, inUse: 0, idle: 0, waiting: 0 }),
    lines: () => ({
      inLine: 0,
      refused: { line: 0, connection: 0, lock: 0, deadlock: 0, time: 0, space: 0, "read-only": 0 },
    }),
    close: async () => {},
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const next = async () => {
    await settle()
    const oldest = waiting.shift()
    if (oldest === undefined) throw new Error("Nothing waits for an answer.")
    return oldest
  }
  return {
    sent,
    released,
    /** What waits for an answer by now. */
    unanswered: async () => {
      await settle()
      return waiting.length
    },
    answer: async (answer: Answer = nothing) => (await next()).resolve(answer),
    begun: async () => (await next()).resolve({ rows: [{ xid: "1", began: "now" }], rowCount: 1 }),
    refuse: async (error: unknown) => (await next()).reject(error),
    run: <A>(work: (statements: Statements) => Effect.Effect<A>, options?: TransactionOptions) =>
      Effect.runPromiseExit(inTransaction(connections, "scripted", work, options)),
  }
}

const diedWith = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? exit.cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect) : []

describe("a transaction", () => {
  it("sends what only locks with its beginning, and what may change something after the answer to that", async () => {
    const script = scripted()
    const done = script.run((statements) =>
      Effect.andThen(statements.lock("own", "lock", []), statements.rows("write", [])),
    )
    expect(await script.unanswered()).toBe(2)
    expect(script.sent).toEqual(["begin", "lock"])
    await script.begun()
    await script.answer()
    await script.answer()
    await script.answer()
    expect(Exit.isSuccess(await done)).toBe(true)
    expect(script.sent).toEqual(["begin", "lock", "write", "commit"])

    const other = scripted()
    const written = other.run((statements) => statements.rows("write", []))
    expect(await other.unanswered()).toBe(1)
    await other.begun()
    await other.answer()
    await other.answer()
    await written
    expect(other.sent).toEqual(["begin", "write", "commit"])
  })

  it("keeps the order of what is held back until it has begun", async () => {
    const script = scripted()
    const done = script.run((statements) =>
      Effect.all([statements.rows("first", []), statements.lock("own", "second", []), statements.rows("third", [])], {
        concurrency: statements.concurrency,
      }),
    )
    expect(await script.unanswered()).toBe(1)
    await script.begun()
    for (let answers = 0; answers < 4; answers += 1) await script.answer()
    await done
    expect(script.sent).toEqual(["begin", "first", "second", "third", "commit"])
  })

  it("changes nothing where it has not begun", async () => {
    const script = scripted()
    const done = script.run((statements) =>
      Effect.andThen(statements.lock("own", "lock", []), statements.send("write", [])),
    )
    const refused = databaseError("57014")
    await script.refuse(refused)
    await script.answer()
    await script.answer()
    expect(diedWith(await done)).toEqual([refused])
    expect(script.sent).toEqual(["begin", "lock", "rollback"])
    expect(script.released).toHaveLength(1)
  })

  it("does not wait for the answer to what is sent, nor for more than the last one of several", async () => {
    const script = scripted()
    const done = script.run((statements) =>
      Effect.gen(function* () {
        yield* statements.rows("read", [])
        yield* statements.send("one", [])
        yield* statements.send("two", [])
      }),
    )
    await script.begun()
    await script.answer()
    expect(await script.unanswered()).toBe(3)
    expect(script.sent).toEqual(["begin", "read", "one", "two", "commit"])
    for (let answers = 0; answers < 3; answers += 1) await script.answer()
    expect(Exit.isSuccess(await done)).toBe(true)
  })

  it("waits for every answer where the caller has to know what has failed", async () => {
    const script = scripted()
    const done = script.run((statements) => Effect.asVoid(statements.send("one", [])), { waits: true })
    await script.begun()
    expect(await script.unanswered()).toBe(1)
    expect(script.sent).toEqual(["begin", "one"])
    await script.answer()
    await script.answer()
    expect(Exit.isSuccess(await done)).toBe(true)
  })

  it("fails at its end with what was sent and failed: the server rolls back in place of committing", async () => {
    const script = scripted()
    const done = script.run((statements) => statements.send("write", []))
    await script.begun()
    const broken = databaseError("23505")
    expect(await script.unanswered()).toBe(2)
    await script.refuse(broken)
    await script.answer()
    expect(diedWith(await done)).toEqual([broken])
    expect(script.sent).toEqual(["begin", "write", "commit"])
    expect(script.released).toHaveLength(1)
  })

  it("fails the next statement with what was sent and failed, and not with what follows from that", async () => {
    const script = scripted()
    const done = script.run((statements) =>
      Effect.andThen(statements.send("write", []), Effect.asVoid(statements.rows("read", []))),
    )
    await script.begun()
    const broken = databaseError("22003")
    expect(await script.unanswered()).toBe(2)
    await script.refuse(broken)
    await script.refuse(databaseError("25P02"))
    await script.answer()
    expect(diedWith(await done)).toEqual([broken])
    expect(script.sent).toEqual(["begin", "write", "read", "rollback"])
  })

  it("is run again where what was sent has ended in a deadlock", async () => {
    const script = scripted()
    const done = script.run((statements) => statements.send("write", []))
    await script.begun()
    expect(await script.unanswered()).toBe(2)
    await script.refuse(databaseError("40P01"))
    await script.answer()
    await script.begun()
    await script.answer()
    await script.answer()
    expect(Exit.isSuccess(await done)).toBe(true)
    expect(script.sent).toEqual(["begin", "write", "commit", "begin", "write", "commit"])
  })

  it("asks what became of it where the connection is lost with what was sent and the commit", async () => {
    const script = scripted()
    const done = script.run((statements) => statements.send("write", []))
    await script.begun()
    expect(await script.unanswered()).toBe(2)
    await script.refuse(new ConnectionLost("scripted", "cut"))
    await script.refuse(new ConnectionLost("scripted", "cut"))
    await script.answer({ rows: [{ status: "committed", restarted: false }], rowCount: 1 })
    expect(Exit.isSuccess(await done)).toBe(true)
    expect(script.sent.at(-1)).toContain("pg_xact_status")
  })

  it("does not ask where it is known that it was rolled back", async () => {
    const script = scripted()
    const done = script.run((statements) => statements.send("write", []))
    await script.begun()
    const broken = databaseError("23514")
    expect(await script.unanswered()).toBe(2)
    await script.refuse(broken)
    await script.refuse(new ConnectionLost("scripted", "cut"))
    expect(diedWith(await done)).toEqual([broken])
  })
})
