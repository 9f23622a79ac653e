import type { TestServer } from "../server.ts"

/** Ends all connections to the control database. */
export const terminateConnections = (server: TestServer) =>
  server.rows(
    "postgres",
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${server.controlDatabase}'`,
  )

/** Ends the connections on which processes listen. Answers how many there were. */
export const terminateListeners = async (server: TestServer): Promise<number> => {
  const ended = await server.rows(
    "postgres",
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'hearth listener' and datname = '${server.controlDatabase}'`,
  )
  return ended.length
}

/** Refuses new connections to the control database, or allows them again. Those that are open stay. */
export const forbidConnections = (server: TestServer, isForbidden: boolean) =>
  server.rows("postgres", `alter database "${server.controlDatabase}" with allow_connections ${!isForbidden}`)
