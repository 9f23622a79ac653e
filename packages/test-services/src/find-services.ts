/** What starts services without an address in the environment: a Docker daemon, or the programs of this machine. */
export type Source = "docker" | "local"

/** A PostgreSQL that this run has started. */
export interface StartedPostgres {
  /** Its address, for a superuser. */
  readonly url: string
  stop(): Promise<void>
}

/** The services of a test run. */
export interface FoundServices {
  /** PostgreSQL, for a superuser. */
  readonly databaseUrl: string
  /** The Redis that `REDIS_URL` names. Tests may use it, but not stop it. */
  readonly redisUrl: string | null
  /** What starts a Redis of a test's own. Null when nothing does. */
  readonly redis: Source | null
  /** Ends what was started. */
  stop(): Promise<void>
}

/** The functions with which `findServices` detects and starts services. */
export interface ServiceDrivers {
  dockerAnswers(): Promise<boolean>
  hasRedisServer(): boolean
  readonly startPostgres: Readonly<Record<Source, () => Promise<StartedPostgres>>>
  /** Starts and ends a Redis container, so that no test waits for its image. */
  tryRedisContainer(): Promise<void>
  /** Prints a sentence for the person who runs the tests. */
  print(sentence: string): void
}

/** The services that `TEST_SERVICES` demands cannot be started. The message is for the person who runs the tests. */
export class ServicesNotFound extends Error {}

const chooseSource = async (wanted: string, { dockerAnswers }: ServiceDrivers): Promise<Source> => {
  if (!["", "docker", "local"].includes(wanted)) {
    throw new ServicesNotFound(`TEST_SERVICES is "docker", "local" or left out, and not "${wanted}".`)
  }
  if (wanted === "local") return "local"
  if (await dockerAnswers()) return "docker"
  if (wanted === "docker") {
    throw new ServicesNotFound(
      "TEST_SERVICES is docker, but no Docker daemon answers: start one, or leave TEST_SERVICES out.",
    )
  }
  return "local"
}

const startFrom = async (source: Source, databaseUrl: string, drivers: ServiceDrivers): Promise<StartedPostgres> => {
  if (source === "docker") await drivers.tryRedisContainer()
  return databaseUrl === "" ? drivers.startPostgres[source]() : { url: databaseUrl, stop: async () => {} }
}

const startAny = async (source: Source, wanted: string, databaseUrl: string, drivers: ServiceDrivers) => {
  if (source === "local") return { source, postgres: await startFrom(source, databaseUrl, drivers) }
  try {
    return { source, postgres: await startFrom(source, databaseUrl, drivers) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (wanted === "docker") throw new ServicesNotFound(`TEST_SERVICES is docker, but no container starts: ${reason}`)
    drivers.print(`No container starts, so tests use what is on this machine: ${reason}`)
    return { source: "local" as const, postgres: await startFrom("local", databaseUrl, drivers) }
  }
}

/**
 * Finds the services of a test run: what `DATABASE_URL` and `REDIS_URL` name; else containers, where a Docker daemon
 * answers; else the embedded PostgreSQL and the local `redis-server`. `TEST_SERVICES=docker` fails without a daemon,
 * `TEST_SERVICES=local` does not look for one. An empty variable counts as left out.
 */
export const findServices = async (
  environment: Readonly<Record<string, string | undefined>>,
  drivers: ServiceDrivers,
): Promise<FoundServices> => {
  const { DATABASE_URL = "", REDIS_URL = "", TEST_SERVICES: wanted = "" } = environment
  const { source, postgres } = await startAny(await chooseSource(wanted, drivers), wanted, DATABASE_URL, drivers)
  const redis = source === "docker" || drivers.hasRedisServer() ? source : null
  if (redis === null) drivers.print("No redis-server was found: the suites that need a Redis of their own are skipped.")
  return { databaseUrl: postgres.url, redisUrl: REDIS_URL || null, redis, stop: postgres.stop }
}
