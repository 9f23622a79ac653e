import type { TenantDb, Tenants } from "@hearth/core"

/** `tenants` with every database twisted before work sees it, so that a statement can be made to die. */
export const twisted = (tenants: Tenants<TenantDb>, twist: (db: TenantDb) => TenantDb): Tenants<TenantDb> => ({
  ...tenants,
  read: (projectId, work) => tenants.read(projectId, (db) => work(twist(db))),
  transact: (projectId, work) => tenants.transact(projectId, (db) => work(twist(db))),
})

/** A fault that can be switched on. */
export const fault = () => {
  let left = 0
  return {
    /** It comes in the next `times` calls of `strikes`. */
    arm: (times = 1) => {
      left = times
    },
    /** Whether it comes now. */
    strikes: (): boolean => {
      if (left === 0) return false
      left -= 1
      return true
    },
  }
}
