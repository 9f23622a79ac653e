import { expectKnownNames } from "../options/known-names.ts"
import type { Ports } from "./ports.ts"

const portNames: Readonly<Record<keyof Ports, true>> = {
  clock: true,
  control: true,
  identities: true,
  ids: true,
  limiter: true,
  mailer: true,
  news: true,
  passwords: true,
  patterns: true,
  push: true,
  revocations: true,
  secrets: true,
  signals: true,
  signatures: true,
  storage: true,
  tenants: true,
  tokens: true,
  workflows: true,
}

/** Throws a `TypeError` where a port is missing, or is none of those that the service has. */
export const expectPorts = (ports: unknown): void => {
  expectKnownNames("port", ports, portNames)
  const missing = Object.keys(portNames).filter((name) => !Reflect.get(Object(ports), name))
  if (missing.length > 0) throw new TypeError(`There is nothing at these ports: ${missing.join(", ")}.`)
}
