import { databaseUrl } from "@hearth/test-services"
import { describe, expect, it } from "vitest"
import { openPool } from "../../src/queue/postgres-pool.ts"

describe("the pool of a queue in PostgreSQL", () => {
  it("survives the end of a checked out connection without a statement", async () => {
    const { pool, close } = openPool({ connectionString: databaseUrl() })
    const taken = await pool.connect()
    const { rows } = await taken.query("select pg_backend_pid() as pid")
    const ended = new Promise((resolve) => taken.once("end", resolve))
    await pool.query("select pg_terminate_backend($1)", [rows[0].pid])
    await ended
    await expect(taken.query("select 1")).rejects.toThrow(/connection/i)
    taken.release(true)
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }])
    await close()
  })

  it("is closed when the server has closed every connection", async () => {
    const { pool, close } = openPool({ connectionString: databaseUrl(), application_name: "closed pool" })
    await Promise.all(Array.from({ length: 5 }, () => pool.query("select pg_sleep(0.05)")))
    const watch = openPool({ connectionString: databaseUrl() })
    const open = async () => {
      const query = "select count(*)::int as count from pg_stat_activity where application_name = 'closed pool'"
      return (await watch.pool.query(query)).rows
    }
    expect(await open()).toEqual([{ count: 5 }])
    await close()
    expect(await open()).toEqual([{ count: 0 }])
    await watch.close()
  })
})
