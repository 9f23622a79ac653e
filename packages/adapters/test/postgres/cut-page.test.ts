import { maxPageBytes } from "@hearth/core"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cutPage, jsonBytes, type Measured, readCut, textBytes } from "../../src/postgres/sql/cut-page.ts"
import { type TestServer, testServer } from "./server.ts"

interface Row {
  readonly id: number
}

describe("a page of large rows (ADR 0021)", () => {
  let server: TestServer
  let client: pg.Client

  beforeAll(async () => {
    server = testServer()
    const project = await server.project(await server.open())
    client = new pg.Client({ connectionString: server.urlOf(server.databaseOf(project)) })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await server.close()
  })

  /** Reads on after each page that is cut, and answers the ids of each page. */
  const readAll = async (text: string, json: string, rows = 30) => {
    await client.query("drop table if exists large")
    await client.query("create temp table large (id int primary key, body text, data jsonb)")
    await client.query(`insert into large select n, ${text}, ${json} from generate_series(1, ${rows}) n`)
    const page = "select * from large order by id limit $1 offset $2"
    const statement = cutPage(page, "id", `${textBytes("body")} + ${jsonBytes("data")}`)
    const pages: Array<ReadonlyArray<number>> = []
    let offset = 0
    for (let isCut = true; isCut; ) {
      const found = await client.query<Row & Measured>(statement, [rows - offset, offset])
      const { rows: read, is_cut = false } = readCut<Row>(found.rows)
      expect(read.every((row) => Object.keys(row).join() === "id,body,data")).toBe(true)
      pages.push(read.map(({ id }) => id))
      offset += read.length
      isCut = is_cut
    }
    expect(pages.flat()).toEqual(Array.from({ length: rows }, (_, at) => at + 1))
    return pages.map(({ length }) => length)
  }

  it.each([
    ["small rows", "'x'", "'{}'", [30]],
    ["rows of nothing", "null", "null", [30]],
    ["100 KB that can be compressed", "repeat('x', 100000)", "null", [11, 11, 8]],
    ["characters of several bytes", "repeat('ü', 50000)", "null", [11, 11, 8]],
    ["JSON that is compressed", "''", "jsonb_build_object('a', repeat('x', 100000))", [11, 11, 8]],
    ["one that is large, and others", "case n when 2 then repeat('x', 3000000) else 'x' end", "null", [2, 28]],
    ["rows that are all larger than a page", `repeat('x', ${maxPageBytes} + n)`, "'{}'", Array(30).fill(1)],
  ])("of %s is cut where it has a megabyte, and goes on after that", async (_, text, json, expected) => {
    expect(await readAll(text, json)).toEqual(expected)
  })

  it("of random text, which is not compressed, is as long", async () => {
    const text = "(select string_agg(md5(random()::text || k || n), '') from generate_series(1, 3125) k)"
    expect(await readAll(text, "null", 12)).toEqual([11, 1])
  })

  it("of nothing is not cut", async () => {
    expect(await readAll("'x'", "null", 0)).toEqual([0])
  })
})
