import {
  type Log,
  nameInRedis,
  type OpenMail,
  type OpenPush,
  type OpenQueue,
  type OpenRateLimiter,
  openPorts,
  type Postgres,
  type SecretKeys,
  type TokenKeys,
} from "@hearth/adapters"
import { createEngagement, type Engagement, type Ports, type Signals, type Tokens } from "@hearth/core"
import type { ServerConfig } from "./config.ts"

/** What a server process consists of. */
export interface ServerParts {
  readonly core: Engagement
  readonly postgres: Postgres
  readonly queue: OpenQueue
  readonly limits: OpenRateLimiter
  readonly mail: OpenMail
  readonly push: OpenPush
  readonly tokens: Tokens
  readonly ids: Ports["ids"]
  /** Where files are sent to and fetched from, beside the address of a request. */
  readonly fileOrigins: ReadonlyArray<string>
  /** Closes queue, limits, mail, push, storage and database, in this order. */
  close(): Promise<void>
}

/** The keys of a server: those that sign its tokens, and those that encrypt the secrets of integrations. */
export interface ServerKeys {
  readonly tokens: TokenKeys
  readonly secrets: SecretKeys
}

const listFileOrigins = ({ storage }: Ports, publicUrl: string | null): ReadonlyArray<string> => {
  if (storage.kind === "remote") return storage.origins
  return publicUrl === null ? [] : [new URL(publicUrl).origin]
}

/** The composition root of the server: binds the adapters that the configuration asks for. */
export const composeServer = async (
  config: ServerConfig,
  databaseUrl: string,
  keys: ServerKeys,
  log: Log,
  signals: Signals,
): Promise<ServerParts> => {
  const { issuer, lifetimes, passwordHash, providers, redisUrl } = config
  const isOnlyProcess = config.databaseUrl === null
  // A Redis may be that of a service with servers and workers, which would take its runs for theirs.
  const own = isOnlyProcess && redisUrl !== null ? { redisName: await nameInRedis(databaseUrl) } : {}
  const { ports, ...opened } = await openPorts({
    ...{ databaseUrl, redisUrl, isOnlyProcess, log, signals, ...own },
    credentials: {
      tokens: { keys: keys.tokens, issuer, lifetimes },
      passwords: { algorithm: passwordHash },
      providers,
    },
    secretKeys: keys.secrets,
    mail: config.mail,
    push: { addresses: config.push, development: isOnlyProcess },
    storage: { url: config.storageUrl, dataDir: config.dataDir },
  })
  // Links may point to loopback addresses only while the service is embedded, on the same machine [B11].
  const magicLinks = { ...config.magicLinks, allowLoopback: config.databaseUrl === null }
  const { hosts, limits: limitSettings, live, push: addresses, retention } = config
  const options = {
    magicLinks,
    hosts,
    limits: limitSettings,
    live,
    pushBUrl: addresses.push_b,
    media: config.media,
    retention,
    knownProjects: true,
  }
  const core = createEngagement(ports, options)
  return {
    ...opened,
    core,
    tokens: ports.tokens,
    ids: ports.ids,
    fileOrigins: listFileOrigins(ports, config.publicUrl),
  }
}
