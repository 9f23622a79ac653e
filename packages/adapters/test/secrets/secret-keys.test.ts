import { randomBytes } from "node:crypto"
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import {
  aesSecretBox,
  generateSecretKey,
  InvalidSecretKeys,
  loadSecretKeys,
  readOrCreateSecretKeys,
} from "../../src/secrets/index.ts"

const fingerprints = (list: string) => Effect.runSync(loadSecretKeys(list)).map(({ fingerprint }) => fingerprint)
const [one, two] = [generateSecretKey(), generateSecretKey()]

describe("secret keys from configuration [H1.2]", () => {
  it("are read in every spelling of base64", () => {
    const bytes = Buffer.alloc(32, 0xfb)
    const [plain, url] = [bytes.toString("base64"), bytes.toString("base64url")]
    expect(plain).toContain("+")
    expect(url).toContain("-")
    const spellings = [plain, url, plain.replace("=", ""), `${url}=`, ` ${plain} `, `${plain},`, `\n${plain}\n`]
    expect(new Set(spellings.map((each) => fingerprints(each).join())).size).toBe(1)
  })

  it("keep their order and their fingerprints", () => {
    expect(fingerprints(`${one},${two}`)).toEqual([...fingerprints(one), ...fingerprints(two)])
    expect(fingerprints(`${two} , ${one}`)).toEqual([...fingerprints(two), ...fingerprints(one)])
    // Changing how fingerprints are made would take every stored secret away.
    expect(fingerprints(Buffer.alloc(32, 1).toString("base64"))).toEqual(["f3d79a63755b"])
  })

  it.each([
    ["", "The list of secret keys must have at least one key."],
    [" , ,", "The list of secret keys must have at least one key."],
    ["canary", "The list of secret keys must be keys of 32 bytes in base64 with commas between: key 1 is none."],
    [`${one},canary`, "The list of secret keys must be keys of 32 bytes in base64 with commas between: key 2 is none."],
    [randomBytes(31).toString("base64"), /key 1 is none/],
    [randomBytes(33).toString("base64"), /key 1 is none/],
    [randomBytes(32).toString("hex"), /key 1 is none/],
    [`${one}=`, /key 1 is none/],
    [`${one.slice(0, 42)}B=`, /key 1 is none/],
    [`${one};${two}`, /key 1 is none/],
    [`${one},${two},${one}`, "The list of secret keys must not repeat a key: key 3 is there already."],
    [Array.from({ length: 21 }, generateSecretKey).join(), /at most 20 keys/],
  ])("fail with the reason, and never with the key: case %#", (list, sentence) => {
    const refused = Effect.runSync(Effect.flip(loadSecretKeys(list)))
    expect(refused).toBeInstanceOf(InvalidSecretKeys)
    if (typeof sentence === "string") expect(refused.message).toBe(sentence)
    else expect(refused.message).toMatch(sentence)
    expect(refused.message).not.toMatch(/canary/)
    expect(refused.message).not.toContain(one.slice(0, 10))
  })

  it("are shown by nothing that prints them", async () => {
    const keys = Effect.runSync(loadSecretKeys(one))
    const { inspect } = await import("node:util")
    const hex = Buffer.from(one, "base64").toString("hex")
    for (const shown of [
      inspect(keys, { depth: 9 }),
      JSON.stringify(keys),
      inspect(aesSecretBox(keys), { depth: 9 }),
    ]) {
      expect(shown).not.toContain(one)
      expect(shown.replaceAll(/\s/g, "")).not.toContain(hex)
    }
  })
})

describe("secret keys in the data folder [F2]", () => {
  const folders: Array<string> = []
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), "hearth-secrets-"))
    folders.push(folder)
    return folder
  }
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  })
  const open = async (folder: string) =>
    (await Effect.runPromise(readOrCreateSecretKeys(folder))).map(({ fingerprint }) => fingerprint)

  it("are made once, readable by the owner only, without other files", async () => {
    const folder = join(await newFolder(), "not", "there", "yet")
    const made = await open(folder)
    expect(made).toHaveLength(1)
    expect(await open(folder)).toEqual(made)
    expect(await readdir(folder)).toEqual(["secrets-key"])
    expect((await stat(join(folder, "secrets-key"))).mode & 0o777).toBe(0o600)
  })

  it("are the same for all callers when several make them at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const folder = await newFolder()
      const oneAfterAnother = async (index: number) => {
        for (let turn = 0; turn < index; turn += 1) await setImmediate()
        return (await open(folder)).join()
      }
      const made = await Promise.all(Array.from({ length: 20 }, (_, index) => oneAfterAnother(index)))
      expect(new Set(made).size).toBe(1)
      expect(await readdir(folder)).toEqual(["secrets-key"])
    }
  })

  it("are rotated by a line in front", async () => {
    const folder = await newFolder()
    const [old] = await open(folder)
    const file = join(folder, "secrets-key")
    await writeFile(file, `${one}\n${await readFile(file, "utf8")}`)
    expect(await open(folder)).toEqual([...fingerprints(one), old])
  })

  it("stay as they are where the file is not valid, which is named", async () => {
    const folder = await newFolder()
    const file = join(folder, "secrets-key")
    await writeFile(file, "canary")
    await chmod(file, 0o600)
    const refused = await Effect.runPromise(Effect.flip(readOrCreateSecretKeys(folder)))
    expect(refused.message).toBe(
      `${file}: The list of secret keys must be keys of 32 bytes in base64 with commas between: key 1 is none.`,
    )
    expect(await readFile(file, "utf8")).toBe("canary")
  })
})
