import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cpuMillis } from "./cpu.ts"

/** An empty data folder that PostgreSQL's own user may enter. */
export const emptyDataDir = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), "hearth-bench-"))
  chmodSync(dataDir, 0o755)
  return dataDir
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** A service in a process of its own, with its embedded database. */
export interface Service {
  readonly origin: string
  readonly dataDir: string
  readonly pid: number
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMillis: number
  /** CPU time that the process has used, in milliseconds. */
  cpuMillis(): number
  stop(): Promise<void>
}

const main = new URL("../../packages/server/main.js", import.meta.url).pathname

const firstAnswer = async (origin: string, child: ChildProcess) => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`)
    const answered = await fetch(`${origin}/health/live`).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Limits that nothing reaches here: they are counted all the same, so that their cost is measured. */
const limits = Object.fromEntries(
  [
    ...["LOGIN_PER_EMAIL_AND_ADDRESS", "LOGIN_PER_EMAIL", "LOGIN_PER_ADDRESS", "USER_WRITES", "USER_EVENTS"],
    ...["FEATURE_WRITES", "WEBHOOKS"],
  ].map((name) => [`LIMIT_${name}`, "100000000 per hour"]),
)

/** Starts a service on `dataDir`, as `pnpm start` does. */
export const startService = async (dataDir: string): Promise<Service> => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, ["--max-semi-space-size=16", main], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn", ...limits },
    stdio: ["ignore", "ignore", "inherit"],
  })
  await firstAnswer(origin, child)
  const pid = child.pid ?? 0
  return {
    origin,
    dataDir,
    pid,
    startMillis: performance.now() - began,
    cpuMillis: () => cpuMillis(pid),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve())
        child.kill("SIGTERM")
      }),
  }
}

/** Removes a data folder. */
export const removeDataDir = (dataDir: string) => rmSync(dataDir, { recursive: true, force: true })

// `fetch` uses several times the CPU time of a call in the service, and both share the cores.
const agent = new Agent({ keepAlive: true, maxSockets: 128 })

/** Calls the API of a service; answers what is under `data`. */
export const call = (
  service: Pick<Service, "origin">,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
  // biome-ignore lint/suspicious/noExplicitAny: answers come from the wire
): Promise<any> =>
  new Promise((resolve, reject) => {
    const length = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    const sent = request(`${service.origin}/v1${path}`, { method, agent, headers: { ...headers, ...length } })
    sent.on("error", reject)
    sent.on("response", (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part
      })
      response.on("end", () => {
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text).data)
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
      })
    })
    sent.end(body)
  })

/** A developer with a project and users in it. */
export const setUp = async (service: Service, users: number) => {
  const account = { email: `${crypto.randomUUID()}@example.com`, password: "a long password" }
  const { access_token } = await call(service, "POST", "/auth/developer/signup", {}, JSON.stringify(account))
  const developer = { authorization: `Bearer ${access_token}` }
  const project = await call(service, "POST", "/admin/projects", developer, JSON.stringify({ name: "Bench" }))
  const key = { "x-api-key": project.client_api_key as string }
  const made = []
  for (let index = 0; index < users; index += 1) made.push(await call(service, "POST", "/client/auth/anonymous", key))
  const clients = made.map(({ session_token }) => ({ ...key, authorization: `Bearer ${session_token}` }))
  return {
    account,
    developer,
    projectId: project.id as string,
    userIds: made.map(({ user }) => user.id as string),
    clients,
    client: { ...key, authorization: clients[0]?.authorization ?? "" },
  }
}
