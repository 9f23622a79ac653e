import type { ControlDb, TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { type DatabaseUnderTest, died } from "../database-under-test.ts"
import { backgroundCalls, type Call, controlCalls, moneyCalls, progressCalls, userCalls } from "./argument-calls.ts"
import { socialCalls } from "./argument-calls-social.ts"
import { type Arguments, badArguments, goodArguments } from "./arguments.ts"

const contract =
  <Db>(calls: Readonly<Record<string, Call<Db>>>) =>
  (open: () => Promise<DatabaseUnderTest<Db>>) =>
    describe("arguments", () => {
      let db: DatabaseUnderTest<Db>
      beforeAll(async () => {
        db = await open()
      })
      const attempt = (call: Call<Db>, given: Arguments) => db.attempt((tx) => Effect.suspend(() => call(tx, given)))

      it.for(Object.entries(calls))("that cannot be are defects, and a limit of 0 can be: %s", async ([, call]) => {
        const good = goodArguments()
        expect((await attempt(call, good.given))._tag).toBe("Success")
        const none = goodArguments({ limit: 0, slice: { limit: 0, offset: 0 } })
        expect((await attempt(call, none.given))._tag).toBe("Success")
        const bad = badArguments(good.looked)
        const exits = await Promise.all(
          bad.map(async ([what, given]) => [what, died(await attempt(call, given))] as const),
        )
        expect(exits).toEqual(bad.map(([what]) => [what, true]))
      })
    })

/** What the databases of projects promise about what they are asked. */
export const tenantArguments = contract<TenantDb>({
  ...progressCalls,
  ...moneyCalls,
  ...userCalls,
  ...backgroundCalls,
  ...socialCalls,
})

/** What the control database promises about what it is asked. */
export const controlArguments = contract<ControlDb>(controlCalls)
