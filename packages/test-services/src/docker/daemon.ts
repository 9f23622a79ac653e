import { existsSync } from "node:fs"
import { request } from "node:http"
import { homedir, userInfo } from "node:os"
import { join } from "node:path"

type Address = { readonly socketPath: string } | { readonly host: string; readonly port: string }

const addressOf = (dockerHost: string): Address => {
  const { hostname, port, pathname } = new URL(dockerHost)
  return hostname === "" ? { socketPath: pathname } : { host: hostname, port }
}

/** The sockets that testcontainers tries too. */
const sockets = (runtimeDir: string | undefined): ReadonlyArray<string> => [
  "/var/run/docker.sock",
  ...(runtimeDir === undefined ? [] : [join(runtimeDir, "docker.sock")]),
  join(homedir(), ".docker/run/docker.sock"),
  join(homedir(), ".docker/desktop/docker.sock"),
  `/run/user/${userInfo().uid}/docker.sock`,
]

// A daemon that hangs must not delay the tests: one that works answers in a few milliseconds.
const patienceMillis = 1_000

const ping = (address: Address): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request({ ...address, path: "/_ping" }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    sent.setTimeout(patienceMillis, () => sent.destroy())
    sent.on("error", () => resolve(false))
    sent.end()
  })

/**
 * Whether a Docker daemon answers, at `DOCKER_HOST` where that is set. Takes milliseconds where there is none, because
 * testcontainers is not loaded for it. A daemon behind TLS is not found.
 */
export const dockerAnswers = async (environment: Readonly<Record<string, string | undefined>>): Promise<boolean> => {
  const { DOCKER_HOST = "", XDG_RUNTIME_DIR } = environment
  if (DOCKER_HOST !== "") return URL.canParse(DOCKER_HOST) && ping(addressOf(DOCKER_HOST))
  for (const socketPath of sockets(XDG_RUNTIME_DIR).filter((path) => existsSync(path)))
    if (await ping({ socketPath })) return true
  return false
}
