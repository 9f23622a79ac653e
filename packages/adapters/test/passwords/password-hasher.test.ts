import type { PasswordHasher } from "@hearth/core"
import { passwordHasherContract } from "@hearth/testing/contracts"
import { hash as argon2 } from "@node-rs/argon2"
import { hash as bcrypt } from "@node-rs/bcrypt"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { nativePasswordHashers, type PasswordHasherSettings } from "../../src/passwords/index.ts"

const nativePasswordHasher = (settings?: PasswordHasherSettings) => nativePasswordHashers(settings).client

const ALGORITHMS = ["argon2id", "bcrypt"] as const

for (const algorithm of ALGORITHMS) {
  const otherAlgorithm = algorithm === "argon2id" ? "bcrypt" : "argon2id"
  passwordHasherContract(`native, ${algorithm}`, {
    make: () => nativePasswordHasher({ algorithm }),
    makeOutdated: () => nativePasswordHasher({ algorithm: otherAlgorithm }),
    makeBounded: (capacity) => nativePasswordHasher({ algorithm, concurrency: 1, waiting: capacity - 1 }),
  })
}

const run = Effect.runPromise
const byArgon2id = nativePasswordHasher()
const byBcrypt = nativePasswordHasher({ algorithm: "bcrypt" })

describe("new hashes", () => {
  it("are argon2id with 19 MiB, two passes and one lane by default", async () => {
    expect(await run(byArgon2id.hash("a"))).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  })

  it("are bcrypt of cost 10 when configured, with a prefix when they are over a digest", async () => {
    expect(await run(byBcrypt.hash("a".repeat(72)))).toMatch(/^\$2b\$10\$[./A-Za-z0-9]{53}$/)
    expect(await run(byBcrypt.hash("a".repeat(73)))).toMatch(/^\$hmac-sha256\$2b\$10\$[./A-Za-z0-9]{53}$/)
    expect(await run(byBcrypt.hash("é".repeat(37)))).toMatch(/^\$hmac-sha256/)
  })
})

describe("hashes from elsewhere", () => {
  it.each([
    ["", "$2a$10$k1wbIrmNyFAPwPVPSVa/zecw2BCEnBwVS2GbrmgzxFUOqW9dk4TCW"],
    ["abc", "$2a$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi"],
    ["abc", "$2y$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi"],
    ["abc", "$2b$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi"],
  ])("verifies %j under bcrypt's published %s", async (password, hash) => {
    expect(await run(byBcrypt.verify(password, hash))).toEqual({ matches: true, outdated: false })
    expect(await run(byArgon2id.verify(password, hash))).toEqual({ matches: true, outdated: true })
    expect((await run(byBcrypt.verify(`${password}!`, hash))).matches).toBe(false)
  })

  it("verifies other parameters and reports them as outdated", async () => {
    const weaker = [
      await argon2("pw", { memoryCost: 4096, timeCost: 2, parallelism: 1 }),
      await argon2("pw", { memoryCost: 19_456, timeCost: 3, parallelism: 1 }),
      await argon2("pw", { memoryCost: 19_456, timeCost: 2, parallelism: 1, algorithm: 1 }),
      await bcrypt("pw", { cost: 4 }),
      await bcrypt("pw", { cost: 11 }),
    ]
    for (const hasher of [byArgon2id, byBcrypt]) {
      for (const hash of weaker)
        expect(await run(hasher.verify("pw", hash)), hash).toEqual({ matches: true, outdated: true })
    }
  })

  it("does not match a longer password with one that bcrypt cut", async () => {
    const cut = await bcrypt("a".repeat(80), { cost: 4 })
    expect((await run(byBcrypt.verify("a".repeat(72), cut))).matches).toBe(true)
    expect((await run(byBcrypt.verify("a".repeat(80), cut))).matches).toBe(false)
  })

  it("does not ignore the prefix of a hash", async () => {
    const marked = await run(byBcrypt.hash("a".repeat(73)))
    expect((await run(byBcrypt.verify("a".repeat(73), marked.replace("$hmac-sha256", "")))).matches).toBe(false)
    const plain = await run(byBcrypt.hash("a"))
    expect((await run(byBcrypt.verify("a", `$hmac-sha256${plain}`))).matches).toBe(false)
  })
})

describe("time", () => {
  it.each(ALGORITHMS)(
    "takes as long without a hash, or with an unknown one, as with a hash: %s",
    async (algorithm) => {
      const hasher = nativePasswordHasher({ algorithm, concurrency: 1 })
      const stored = await run(hasher.hash("correct horse"))
      // CPU time over all threads: unlike wall-clock time it does not grow with other load.
      const spent = async (hash: string | null) => {
        const from = process.cpuUsage()
        await run(hasher.verify("battery staple", hash))
        const { user, system } = process.cpuUsage(from)
        return user + system
      }
      const rounds: Array<readonly [number, number, number]> = []
      for (let round = 0; round < 6; round += 1) {
        rounds.push([await spent(stored), await spent(null), await spent("unknown")])
      }
      const least = (column: 0 | 1 | 2) => Math.min(...rounds.map((row) => row[column]))
      for (const ratio of [least(1) / least(0), least(2) / least(0)]) {
        expect(ratio).toBeGreaterThan(0.5)
        expect(ratio).toBeLessThan(2)
      }
    },
    20_000,
  )

  it.each(ALGORITHMS)("leaves the event loop free: %s", async (algorithm) => {
    const hasher = nativePasswordHasher({ algorithm })
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    await run(
      Effect.all(
        Array.from({ length: 6 }, () => hasher.hash("a")),
        { concurrency: "unbounded" },
      ),
    )
    clearInterval(timer)
    expect(turns).toBeGreaterThan(6)
  })

  it("hashes one after another with a concurrency of 1, in the order of the calls", async () => {
    const hasher = nativePasswordHasher({ concurrency: 1, waiting: 4 })
    const ended: Array<number> = []
    const hash = (index: number) => Effect.tap(hasher.hash("a"), () => Effect.sync(() => ended.push(index)))
    const calls = Array.from({ length: 6 }, (_, index) => Effect.result(hash(index)))
    const outcomes = await run(Effect.all(calls, { concurrency: "unbounded" }))
    expect(outcomes.map(({ _tag }) => _tag).join()).toBe("Success,Success,Success,Success,Success,Failure")
    expect(ended).toEqual([0, 1, 2, 3, 4])
  })
})

describe("the lines of projects", () => {
  it("take turns: a full one costs another the time of one password for each of its own", async () => {
    const { client, developer } = nativePasswordHashers({ concurrency: 1, waiting: 7 })
    const ended: Array<string> = []
    const hash = (hasher: PasswordHasher, line: string) =>
      Effect.tap(Effect.result(hasher.hash("a", line)), ({ _tag }) => Effect.sync(() => ended.push(`${line} ${_tag}`)))
    const many = Array.from({ length: 16 }, () => hash(client, "many"))
    const all = [...many, hash(client, "few"), hash(developer, "developer"), hash(client, "few")]
    await run(Effect.all(all, { concurrency: "unbounded" }))
    expect(ended.slice(0, 8)).toEqual(Array(8).fill("many Failure"))
    expect(ended.slice(8, 14).map((each) => each.split(" ")[0])).toEqual([
      ...["many", "developer", "many", "few", "many", "few"],
    ])
    expect(ended.slice(8).filter((each) => each.endsWith("Failure"))).toEqual([])
  })
})

describe("the lines of the two planes", () => {
  it("are apart: a full one of users refuses users, and a developer waits for one of them only", async () => {
    const { client, developer } = nativePasswordHashers({ concurrency: 1, waiting: 31 })
    const ended: Array<string> = []
    const hash = (hasher: PasswordHasher, who: string) =>
      Effect.tap(Effect.result(hasher.hash("a")), ({ _tag }) => Effect.sync(() => ended.push(`${who} ${_tag}`)))
    const users = Array.from({ length: 64 }, () => hash(client, "user"))
    const both = [...users, hash(developer, "developer"), hash(developer, "developer")]
    await run(Effect.all(both, { concurrency: "unbounded" }))
    expect(ended.slice(0, 32)).toEqual(Array(32).fill("user Failure"))
    const done = ended.slice(32)
    expect(done).toHaveLength(34)
    expect(done.filter((each) => each === "developer Success")).toHaveLength(2)
    // One user was being hashed already, and they take turns.
    expect(done.indexOf("developer Success")).toBe(1)
    expect(done.lastIndexOf("developer Success")).toBe(3)
  })

  it("are bounded each", async () => {
    const { client, developer } = nativePasswordHashers({ concurrency: 1, waiting: 2 })
    const outcomes = (hasher: PasswordHasher) =>
      Effect.all(
        Array.from({ length: 5 }, () => Effect.result(hasher.hash("a"))),
        { concurrency: "unbounded" },
      )
    const [users, developers] = await run(
      Effect.all([outcomes(client), outcomes(developer)], { concurrency: "unbounded" }),
    )
    for (const line of [users, developers]) {
      expect(line.map(({ _tag }) => _tag)).toEqual(["Success", "Success", "Success", "Failure", "Failure"])
    }
  })
})
