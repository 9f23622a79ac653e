import { integrationConfig, memorySecretBox, testWorld, writeIntegration } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { describeLostKeys, makeFindIntegration, makeSecretKeys } from "./index.ts"

type Keys = Parameters<typeof memorySecretBox>[0]

const nameKey = (name: string) => memorySecretBox([name]).fingerprints[0]

const setUp = async () => {
  const world = testWorld()
  const projects = [await world.aProjectWithOwner(), await world.aProjectWithOwner()].map(({ projectId }) => projectId)
  const [one = "", two = ""] = projects
  const portsWith = (keys: Keys) => ({ ...world.ports, secrets: memorySecretBox(keys) })
  return {
    ...{ world, one, two },
    keysAre: (keys: Keys) => makeSecretKeys(portsWith(keys)),
    write: (keys: Keys, project: string, provider: "paywall" | "subscription" | "push_a") =>
      world.run(writeIntegration(portsWith(keys), project, provider)),
    secretOf: async (keys: Keys, project: string) =>
      (await world.run(makeFindIntegration(portsWith(keys))(project, "paywall")))?.webhook_secret,
  }
}

describe("the keys of secrets, at the start of a process [H1.2]", () => {
  it("are all there where none is missing", async () => {
    const { world, one, keysAre, write } = await setUp()
    expect(await world.run(keysAre(["new"]).findLost())).toEqual([])
    await write(["old"], one, "paywall")
    expect(await world.run(keysAre(["new", "old"]).findLost())).toEqual([])
  })

  it("are missed by how many integrations of how many projects need them", async () => {
    const { world, one, two, keysAre, write } = await setUp()
    await write(["old"], one, "paywall")
    await write(["old"], one, "subscription")
    await write(["old"], two, "paywall")
    await write(["older"], two, "push_a")
    await write(["new"], two, "subscription")
    const lost = await world.run(keysAre(["new"]).findLost())
    const needs = [
      { fingerprint: nameKey("old"), integrations: 3, projects: 2 },
      { fingerprint: nameKey("older"), integrations: 1, projects: 1 },
    ].sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
    expect(lost).toEqual(needs)
    expect(await world.run(keysAre(["new", "older"]).findLost())).toEqual(
      needs.filter(({ integrations }) => integrations === 3),
    )
  })

  it("are named in one sentence that says what to do", () => {
    const one = { fingerprint: "0123456789ab", integrations: 3, projects: 2 }
    expect(describeLostKeys([one], "SECRETS_KEY")).toBe(
      "The secrets of integrations cannot be read, because 3 integrations of 2 projects need the key 0123456789ab, not in " +
        "SECRETS_KEY: put it back there, behind the first one; or, when it is gone for good, start with " +
        "SECRETS_KEY_LOST=forget, and those integrations have no secret until it is set again.",
    )
    const other = { fingerprint: "ba9876543210", integrations: 1, projects: 1 }
    expect(describeLostKeys([one, other], "/data/secrets-key")).toContain(
      "3 integrations of 2 projects need the key 0123456789ab and 1 integration of 1 project needs the key ba9876543210, " +
        "not in /data/secrets-key: put",
    )
  })

  it("leave the first one alone: what others seal is sealed again, and they can be removed", async () => {
    const { world, one, two, keysAre, write, secretOf } = await setUp()
    await write(["old"], one, "paywall")
    await write(["new"], two, "paywall")
    await write(["lost"], two, "push_a")
    const before = await world.run(world.control.read((db) => db.integrations.list({}, [])))
    expect(await world.run(keysAre(["new", "old"]).sealAgain())).toEqual({
      ...{ integrations: 1, older: [nameKey("old")], left: [] },
    })
    expect(await secretOf(["new"], one)).toBe("paywall-secret-0")
    expect(await secretOf(["old"], one)).toBeUndefined()
    const after = await world.run(world.control.read((db) => db.integrations.list({}, [])))
    const strip = ({ sealed: _, sealed_with: __, ...row }: (typeof after)[number]) => row
    expect(after.map(strip)).toEqual(before.map(strip))
    expect(after.filter((row, at) => row.sealed !== before[at]?.sealed)).toHaveLength(1)
    expect(await world.run(keysAre(["new", "old"]).sealAgain())).toMatchObject({ integrations: 0, left: [] })
    expect(await world.run(keysAre(["new"]).sealAgain())).toEqual({ integrations: 0, older: [], left: [] })
  })

  it("are still needed by what cannot be opened, and by what is being changed", async () => {
    const { world, one, two, keysAre, write } = await setUp()
    const broken = await write(["old"], one, "paywall")
    await world.run(
      world.control.transact((db) => Effect.orDie(db.integrations.update(broken.id, { sealed: `${broken.sealed}x` }))),
    )
    const held = await write(["old"], two, "paywall")
    const keys = keysAre(["new", "old"])
    const left = (integrations: number) => [{ fingerprint: nameKey("old"), integrations, projects: integrations }]
    const meanwhile = await world.run(
      world.control.transact((db) =>
        Effect.andThen(
          db.integrations.lock(held.id),
          Effect.promise(() => world.run(keys.sealAgain())),
        ),
      ),
    )
    expect(meanwhile).toMatchObject({ integrations: 0, left: left(2) })
    expect(await world.run(keys.sealAgain())).toMatchObject({ integrations: 1, left: left(1) })
  })

  it("are changed for many integrations, in batches", async () => {
    const { world, one, keysAre } = await setUp()
    const many = 205
    const old = { ...world.ports, secrets: memorySecretBox(["old"]) }
    for (let n = 0; n < many; n += 1) {
      const id = world.ports.ids.uuid()
      const [row] = await world.run(world.control.read((db) => db.projects.list({ id: one }, [])))
      if (row === undefined) throw new Error("There is a project.")
      await world.run(world.control.transact((db) => Effect.orDie(db.projects.insert({ ...row, id }))))
      await world.run(writeIntegration(old, id, "paywall", integrationConfig("paywall")))
    }
    expect(await world.run(keysAre(["new", "old"]).sealAgain())).toMatchObject({ integrations: many, left: [] })
  })
})
