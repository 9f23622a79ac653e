import type { TenantDb, Tenants } from "@hearth/core"

/** `tenants` whose databases go through `build`, which can make a statement fail. */
export const withFault = (tenants: Tenants<TenantDb>, build: (db: TenantDb) => TenantDb): Tenants<TenantDb> => ({
  ...tenants,
  read: (projectId, work) => tenants.read(projectId, (db) => work(build(db))),
  transact: (projectId, work) => tenants.transact(projectId, (db) => work(build(db))),
})

/** A fault that can be switched on. */
export const fault = () => {
  let left = 0
  return {
    /** The next `times` calls of `shouldFail` answer true. */
    arm: (times = 1) => {
      left = times
    },
    /** Whether the statement that asks should fail. */
    shouldFail: (): boolean => {
      if (left === 0) return false
      left -= 1
      return true
    },
  }
}
