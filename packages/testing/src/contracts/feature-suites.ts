import type { ControlDb, TenantDb } from "@hearth/core"
import type { DatabaseUnderTest } from "./database-under-test.ts"

/** A suite of what every adapter promises about one subject. `open` answers a database that only this suite uses. */
export type Contract<Db> = (open: () => Promise<DatabaseUnderTest<Db>>) => void

/** What every adapter promises about one feature, by the kind of database that it keeps something in. */
export interface FeatureSuites {
  readonly tenant?: ReadonlyArray<Contract<TenantDb>>
  readonly control?: ReadonlyArray<Contract<ControlDb>>
}
