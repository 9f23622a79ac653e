import type { Ports } from "../tenant-db.ts"

/** Ports in the place of others: those that are given, or that a function makes of the others. */
export type OwnPorts = Partial<Ports> | ((others: Ports) => Partial<Ports>)

/** The ports with some of them replaced. Throws a `TypeError` where these are to come later: a promise has no port, so that none would be replaced. */
export const replacePorts = (ports: Ports, own: OwnPorts = {}): Ports => {
  const given = typeof own === "function" ? own(ports) : own
  if (given instanceof Promise) throw new TypeError("Ports are given at once: what was given is a promise.")
  return { ...ports, ...given }
}
