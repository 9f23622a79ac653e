import { InvalidToken } from "@hearth/core"
import { Deferred, Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import type { Credentials } from "../../src/http/request/access.ts"
import { digits } from "../../src/http/request/query.ts"
import { noContent, pageOf, pageWith } from "../../src/http/response/answers.ts"
import { defineRoutes } from "../../src/http/routing/route.ts"
import { as, ask, sampleAccess, sampleApp } from "./sample-app.ts"
import type { SampleCore } from "./sample-routes.ts"

const route = defineRoutes<SampleCore>()
const Row = Schema.Struct({ n: Schema.Int, at: Schema.DateFromString })
const query = { limit: digits(1, 1000), offset: digits(0, 1000), only: Schema.optionalKey(Schema.String) }

/** Lists of 20 rows, of which three fit into a page. The reading that `failsAt` names dies. */
const serve = (failsAt = Number.POSITIVE_INFINITY, access: Partial<Credentials> = {}) => {
  const calls: Array<unknown> = []
  const gate = Deferred.makeUnsafe<void>()
  let held = 0
  const all = Array.from({ length: 20 }, (_, n) => ({ n, at: new Date(n), secret: "undeclared" }))
  const list = ({ limit, offset, only }: { limit: number; offset: number; only?: string }, host: string) =>
    Effect.suspend(() => {
      calls.push({ limit, offset, ...(only === undefined ? {} : { only }), host })
      if (calls.length === failsAt) return Effect.die(new Error("The database is gone."))
      const slice = all.slice(offset, offset + limit)
      const rows = slice.slice(0, 3)
      return Effect.succeed({
        rows,
        total: all.length,
        average: 4.5,
        ...(rows.length < slice.length ? { is_cut: true } : {}),
      })
    })
  const options = { summary: "Lists", description: "All of them.", access: "client", query } as const
  const routes = [
    route("GET", "/client/rows", {
      ...{ ...options, id: "rows.list", returns: pageOf(Row) },
      run: (call) => list(call.query, call.host),
    }),
    route("GET", "/client/more", {
      ...{ ...options, id: "rows.more", returns: pageWith(Row, { average: Schema.Number }) },
      run: (call) => list(call.query, call.host),
    }),
    route("GET", "/client/held", {
      ...{
        id: "rows.held",
        summary: "Waits.",
        description: "Until it is let go.",
        access: "client",
        returns: noContent,
      },
      run: () =>
        Effect.suspend(() => {
          held += 1
          return Deferred.await(gate)
        }),
    }),
  ]
  const sample = sampleApp({
    groups: [{ title: "Rows", description: "Rows.", routes }],
    access: { ...sampleAccess, ...access },
  })
  const get = (path: string, method = "GET") => ask(sample.app, method, `/v1/client/${path}`, { headers: as.user })
  const letGo = () => Effect.runPromise(Deferred.succeed(gate, undefined))
  return { calls, get, log: sample.log, held: () => held, letGo }
}

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ n: from + at, at: new Date(from + at).toISOString() }))

describe("a page of large rows (ADR 0021)", () => {
  it("that is cut is read on and sent whole, as any other page", async () => {
    const { calls, get } = serve()
    const response = await get("rows?limit=8&offset=5&only=x")
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("content-disposition")).toBeNull()
    expect(await response.json()).toEqual({ data: rows(5, 13), total: 20, offset: 5, limit: 8 })
    const host = (calls[0] as { host: string }).host
    expect(calls).toEqual([
      { limit: 8, offset: 5, only: "x", host },
      { limit: 5, offset: 8, only: "x", host },
      { limit: 2, offset: 11, only: "x", host },
    ])
  })

  it.each([
    ["more?limit=7&offset=0", { data: rows(0, 7), total: 20, offset: 0, limit: 7, average: 4.5 }],
    ["more?limit=2&offset=0", { data: rows(0, 2), total: 20, offset: 0, limit: 2, average: 4.5 }],
    ["rows?limit=1000&offset=0", { data: rows(0, 20), total: 20, offset: 0, limit: 1_000 }],
    ["rows?limit=1000&offset=20", { data: [], total: 20, offset: 20, limit: 1_000 }],
    ["rows?limit=6&offset=14", { data: rows(14, 20), total: 20, offset: 14, limit: 6 }],
  ])("%s", async (path, expected) => {
    expect(await (await serve().get(path)).json()).toEqual(expected)
  })

  it("has no row twice that others have moved meanwhile, and as many as were asked for", async () => {
    const Named = Schema.Struct({ id: Schema.String })
    const all = Array.from({ length: 20 }, (_, n) => ({ id: `row ${n}` }))
    let made = 0
    const routes = [
      route("GET", "/client/rows", {
        ...{ id: "rows.list", summary: "Lists", description: "All of them.", access: "client", query },
        returns: pageOf(Named),
        run: ({ query: { limit, offset } }) =>
          Effect.sync(() => {
            const rows = all.slice(offset, offset + limit).slice(0, 3)
            // The newest is the first: one is made while a piece is read.
            all.unshift({ id: `new ${made++}` })
            return { rows, total: 20, is_cut: true }
          }),
      }),
    ]
    const { app } = sampleApp({ groups: [{ title: "Rows", description: "Rows.", routes }] })
    const response = await ask(app, "GET", "/v1/client/rows?limit=8&offset=0", { headers: as.user })
    const ids = Array.from({ length: 8 }, (_, n) => ({ id: `row ${n}` }))
    expect(await response.json()).toMatchObject({ data: ids, total: 20 })
    expect(made).toBe(4)
  })

  it("is read on when it is the turn of its caller", async () => {
    const { calls, get, held, letGo } = serve()
    const page = await get("rows?limit=8&offset=0")
    const others = Array.from({ length: 8 }, () => get("held"))
    await expect.poll(held).toBe(8)
    const whole = page.json()
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    expect(calls).toHaveLength(1)
    await letGo()
    expect(await whole).toMatchObject({ data: rows(0, 8) })
    expect([calls.length, (await Promise.all(others)).map(({ status }) => status)]).toEqual([3, Array(8).fill(204)])
  })

  it("is read on when its reader has taken what there was, and not after that has gone", async () => {
    const { calls, get } = serve()
    const reader = (await get("rows?limit=20&offset=0")).body?.getReader()
    expect(calls).toHaveLength(1)
    await reader?.read()
    await reader?.read()
    expect(calls).toHaveLength(2)
    await reader?.cancel()
    expect(calls).toHaveLength(2)
  })

  it("breaks off where it cannot be read on", async () => {
    const { get } = serve(3)
    const response = await get("rows?limit=20&offset=0")
    await expect(response.text()).rejects.toThrow()
  })

  it("is not read on for who has lost the right meanwhile", async () => {
    let isRevoked = false
    const { calls, get } = serve(undefined, {
      liveSession: (caller) => (isRevoked ? Effect.fail(new InvalidToken()) : Effect.succeed(caller)),
    })
    const response = await get("rows?limit=20&offset=0")
    isRevoked = true
    await expect(response.text()).rejects.toThrow()
    expect(calls).toHaveLength(1)
  })

  it("is not read on for its headers alone", async () => {
    const { calls, get } = serve()
    expect((await get("rows?limit=20&offset=0", "HEAD")).status).toBe(200)
    expect(calls).toHaveLength(1)
  })
})
