import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { afterAll, describe, expect, it } from "vitest"
import { readServerConfig } from "../../src/config.ts"
import { makeHarness, someJwtKeys, someSecretsKey } from "../harness/harness.ts"

const harness = makeHarness()
afterAll(harness.clear)

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const hearth = async (
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<Ran> => {
  const run = harness.launch("hearth", { args, ...options })
  const { code } = await run.ended
  return { code, out: run.output(), err: run.errors() }
}

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

describe("hearth", () => {
  it("prints its version, and help for itself and each command", async () => {
    expect(await hearth(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" })
    const { code, out } = await hearth(["--help"])
    expect(code).toBe(0)
    const commands = [...out.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name = ""]) => name)
    expect(commands).toEqual(expect.arrayContaining(["start", "worker", "keys", "demo"]))
    const helps = await Promise.all(commands.filter((name) => name !== "help").map((name) => hearth([name, "--help"])))
    for (const help of helps) expect(help).toMatchObject({ code: 0, out: expect.stringContaining("Usage: hearth ") })
  })

  it.each([
    [["strat"], /unknown command 'strat'\n\(Did you mean start\?\)/],
    [["keys", "--rotat"], /unknown option '--rotat'\n\(Did you mean --rotate\?\)/],
    [["keys", "JWT_KEY"], /Allowed choices are JWT_KEYS, SECRETS_KEY/],
    [["keys", "--last"], /--last needs --rotate/],
    [["start", "now"], /too many arguments/],
    [[], /Usage: hearth/],
  ])("refuses what it does not understand with exit code 2: %j", async (args, message) => {
    const { code, out, err } = await hearth(args)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toMatch(message)
  })
})

describe("hearth keys", () => {
  const keysIn = (text: string) => parseEnv(text) as Readonly<Record<string, string>>

  it("makes keys with which a server starts, in a form that .env has", async () => {
    const { code, out } = await hearth(["keys"])
    expect(code).toBe(0)
    const made = keysIn(out)
    expect(readServerConfig({ DATABASE_URL: "postgres://127.0.0.1/db", ...made })).toMatchObject({ _tag: "Success" })
  })

  it("rotates the keys of .env: the new one in front, or behind", async () => {
    const cwd = harness.folder()
    const SECRETS_KEY = someSecretsKey()
    writeFileSync(join(cwd, ".env"), `${(await hearth(["keys", "JWT_KEYS"])).out}SECRETS_KEY=${SECRETS_KEY}\n`)
    const before = JSON.parse(keysIn(readFileSync(join(cwd, ".env"), "utf8"))["JWT_KEYS"] ?? "").keys
    const rotated = keysIn((await hearth(["keys", "--rotate"], { cwd })).out)
    expect(rotated["SECRETS_KEY"]?.split(",")).toEqual([expect.stringMatching(/^.{44}$/), SECRETS_KEY])
    const { keys } = JSON.parse(rotated["JWT_KEYS"] ?? "")
    expect(keys).toEqual([expect.objectContaining({ crv: "Ed25519" }), ...before])
    expect(keys[0].kid).not.toBe(before[0].kid)
    const { out } = await hearth(["keys", "SECRETS_KEY", "--rotate", "--last"], { cwd })
    expect(keysIn(out)["SECRETS_KEY"]?.split(",")).toEqual([SECRETS_KEY, expect.stringMatching(/^.{44}$/)])
  })

  it("refuses to rotate what there is not, and what cannot be read", async () => {
    const cwd = harness.folder()
    const none = await hearth(["keys", "SECRETS_KEY", "--rotate"], { cwd })
    expect(none).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/^SECRETS_KEY: there is nothing to rotate/),
    })
    const environment = { JWT_KEYS: '{"keys":["canary"]}' }
    const broken = await hearth(["keys", "JWT_KEYS", "--rotate"], { cwd, environment })
    expect(broken).toEqual({ code: 1, out: "", err: "JWT_KEYS: Key 1 is not a JSON Web Key.\n" })
    const file = join(cwd, "token-keys.json")
    mkdirSync(file)
    const sentence = `${file} is a folder: put the file with the keys there.`
    const folder = await hearth(["keys", "JWT_KEYS", "--rotate"], { environment: { DATA_DIR: cwd } })
    expect(folder).toEqual({ code: 1, out: "", err: `JWT_KEYS: ${sentence}\n` })
    const { out } = await hearth(["doctor"], { environment: { DATA_DIR: cwd } })
    expect(out).toContain(`failed   keys         ${sentence} `)
  })
})

describe("the file .env", () => {
  it("is read in the working directory, and the environment wins", async () => {
    const cwd = harness.folder()
    writeFileSync(join(cwd, ".env"), "PORT=from-the-file\nLOG_LEVEL=from-the-file\n")
    const { code, err } = await hearth(["start"], { cwd, environment: { LOG_LEVEL: "from-outside" } })
    expect(code).toBe(1)
    expect(err).toMatch(/^PORT: .* it is "from-the-file"\.$/m)
    expect(err).toMatch(/^LOG_LEVEL: .* it is "from-outside"\.$/m)
    const worker = await hearth(["worker"], { cwd })
    expect(worker).toMatchObject({ code: 1, err: expect.stringMatching(/^LOG_LEVEL: .* it is "from-the-file"\.$/m) })
  })
})

describe("DATABASE_URL", () => {
  it.each(["require", "verify-ca", "prefer"])("with sslmode=%s has no warning of the driver printed", async (mode) => {
    // Nothing listens there.
    const DATABASE_URL = `postgres://127.0.0.1:9/hearth?sslmode=${mode}&application_name=a%20b`
    const run = await hearth(["migrate"], {
      environment: { DATABASE_URL, JWT_KEYS: someJwtKeys(), SECRETS_KEY: someSecretsKey() },
    })
    expect(run).toMatchObject({ code: 1, err: expect.stringMatching(/^The database \S+ cannot be reached: .*\n$/) })
  })
})
