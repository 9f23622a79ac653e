import { randomBytes } from "node:crypto"
import type { StartedPostgres } from "../find-services.ts"
import { freePort } from "../free-port.ts"
import { type RunningRedis, restartableRedis, type TestRedis } from "../redis.ts"

// Loaded on demand, because it takes a quarter of a second.
const load = () => import("testcontainers")

/** Starts PostgreSQL in a container, of the version and with the settings of the embedded one. */
export const startPostgresContainer = async (): Promise<StartedPostgres> => {
  const { GenericContainer, Wait } = await load()
  const password = randomBytes(12).toString("hex")
  const settings = ["max_connections=400", "fsync=off", "synchronous_commit=off", "full_page_writes=off"]
  const container = await new GenericContainer("postgres:18")
    .withEnvironment({ POSTGRES_PASSWORD: password, POSTGRES_INITDB_ARGS: "--encoding=UTF8 --locale=C" })
    .withCommand(["postgres", ...settings.flatMap((setting) => ["-c", setting])])
    .withExposedPorts(5432)
    // The log says ready twice: first of the server that initialises the cluster.
    .withWaitStrategy(Wait.forAll([Wait.forLogMessage(/ready to accept connections/, 2), Wait.forListeningPorts()]))
    .start()
  return {
    url: `postgres://postgres:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    stop: async () => void (await container.stop()),
  }
}

const runRedis = async (port: number): Promise<RunningRedis> => {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await load()
  const container = await new GenericContainer("redis:8")
    .withCommand(["redis-server", "--save", ""])
    .withExposedPorts({ container: 6379, host: port })
    .withWaitStrategy(Wait.forAll([Wait.forLogMessage(/Ready to accept connections/), Wait.forListeningPorts()]))
    .start()
  const { container: client } = await getContainerRuntimeClient()
  const handle = client.getById(container.getId())
  return {
    url: `redis://${container.getHost()}:${port}`,
    kill: async () => void (await container.stop()),
    freeze: async () => void (await handle.pause()),
    thaw: async () => void (await handle.unpause()),
  }
}

/** Starts Redis in a container. It keeps its port when it is started again, because tests hold on to the address. */
export const startRedisContainer = async (): Promise<TestRedis> => {
  const port = await freePort()
  return restartableRedis(() => runRedis(port))
}
