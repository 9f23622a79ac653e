import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { generateTokenKeys, InvalidTokenKeys, loadTokenKeys, readOrCreateTokenKeys } from "../../src/identity/index.ts"

const [key, other] = [generateTokenKeys(), generateTokenKeys()].map((json) => JSON.parse(json).keys[0])
const set = (...keys: ReadonlyArray<unknown>) => JSON.stringify({ keys })

describe("token keys from configuration", () => {
  it("loads generated keys", () => {
    const { signing, published, verifying } = Effect.runSync(loadTokenKeys(set(key, other)))
    expect(signing.kid).toBe(key.kid)
    expect([...verifying.keys()]).toEqual([key.kid, other.kid])
    const { d: _, ...open } = key
    expect(published[0]).toEqual(open)
  })

  it("names a key without kid by its thumbprint", () => {
    const { kid, ...unnamed } = key
    expect(Effect.runSync(loadTokenKeys(set(unnamed))).signing.kid).toBe(kid)
    // RFC 8037, A.3.
    const rfc = {
      kty: "OKP",
      crv: "Ed25519",
      d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    }
    expect(Effect.runSync(loadTokenKeys(set(rfc))).signing.kid).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  })

  const { d, x } = key
  it.each([
    ["", "The token keys are not JSON."],
    [`{"keys":[{"d":"${d}"`, "The token keys are not JSON."],
    ["null", 'The token keys are not a JSON Web Key Set: {"keys": [...]}.'],
    [`[${JSON.stringify(key)}]`, 'The token keys are not a JSON Web Key Set: {"keys": [...]}.'],
    [JSON.stringify(key), 'The token keys are not a JSON Web Key Set: {"keys": [...]}.'],
    ['{"keys":{}}', 'The token keys are not a JSON Web Key Set: {"keys": [...]}.'],
    [set(), "The token keys are empty: at least one key is needed to sign."],
    [set(key, "key"), "Key 2 is not a JSON Web Key."],
    [set(null), "Key 1 is not a JSON Web Key."],
    [set({ kty: "RSA", n: "AQAB", e: "AQAB" }), "Key 1 is not an Ed25519 key (kty OKP, crv Ed25519)."],
    [set({ ...key, crv: "X25519" }), "Key 1 is not an Ed25519 key (kty OKP, crv Ed25519)."],
    [set({ ...key, alg: "HS256" }), "Key 1 has an alg that is not EdDSA."],
    [set({ ...key, use: "enc" }), "Key 1 has a use that is not sig."],
    [set({ ...key, kid: 1 }), "Key 1 has a kid that is no text."],
    [set({ ...key, kid: "" }), "Key 1 has a kid that is no text."],
    [set(key, { ...other, d: undefined }), "Key 2 has no private part (d)."],
    [set({ ...key, d: `${d}=` }), "Key 1 has a private part (d) that is not 32 bytes in base64url."],
    [set({ ...key, d: d.slice(1) }), "Key 1 has a private part (d) that is not 32 bytes in base64url."],
    [set({ ...key, d: 7 }), "Key 1 has a private part (d) that is not 32 bytes in base64url."],
    [set({ ...key, x: undefined }), "Key 1 has a public part (x) that is not 32 bytes in base64url."],
    [set({ ...key, x: `+${x.slice(1)}` }), "Key 1 has a public part (x) that is not 32 bytes in base64url."],
    [set({ ...key, x: other.x }), "Key 1 has a public part (x) of another key."],
    [set(key, { ...other, kid: key.kid }), "Key 2 has the same kid as another key."],
    [set(key, key), "Key 2 has the same kid as another key."],
  ])("fails with the reason for %.60s", (json, sentence) => {
    const refused = Effect.runSync(Effect.flip(loadTokenKeys(json)))
    expect(refused).toBeInstanceOf(InvalidTokenKeys)
    expect(refused.message).toBe(sentence)
  })
})

describe("token keys in the data folder", () => {
  const folders: Array<string> = []
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), "hearth-keys-"))
    folders.push(folder)
    return folder
  }
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  })
  const open = (folder: string) => Effect.runPromise(readOrCreateTokenKeys(folder))

  it("names a folder in the place of the file", async () => {
    const folder = await newFolder()
    const file = join(folder, "token-keys.json")
    await mkdir(file)
    await expect(open(folder)).rejects.toThrow(`${file} is a folder: put the file with the keys there.`)
  })

  it("creates them once, readable by the owner only, without other files", async () => {
    const folder = join(await newFolder(), "not", "there", "yet")
    const made = await open(folder)
    expect((await open(folder)).published).toEqual(made.published)
    expect(await readdir(folder)).toEqual(["token-keys.json"])
    expect((await stat(join(folder, "token-keys.json"))).mode & 0o777).toBe(0o600)
  })

  it("gives all callers the same keys when several create them at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const folder = await newFolder()
      const oneAfterAnother = async (index: number) => {
        for (let turn = 0; turn < index; turn += 1) await setImmediate()
        return (await open(folder)).signing.kid
      }
      const kids = await Promise.all(Array.from({ length: 20 }, (_, index) => oneAfterAnother(index)))
      expect(new Set(kids).size).toBe(1)
      expect(await readdir(folder)).toEqual(["token-keys.json"])
    }
  })

  it("does not change an invalid file, and names it", async () => {
    const folder = await newFolder()
    const file = join(folder, "token-keys.json")
    await writeFile(file, "{}")
    await chmod(file, 0o600)
    const refused = await Effect.runPromise(Effect.flip(readOrCreateTokenKeys(folder)))
    expect(refused.message).toBe(`${file}: The token keys are not a JSON Web Key Set: {"keys": [...]}.`)
    expect(await readFile(file, "utf8")).toBe("{}")
  })
})
