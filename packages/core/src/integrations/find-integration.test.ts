import { anId, integrationConfig, memorySecretBox, testWorld, writeIntegration } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type IntegrationProvider, makeFindIntegration } from "./index.ts"

const setUp = async () => {
  const world = testWorld()
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const look = makeFindIntegration(world.ports)
  return {
    ...{ world, projectId, ownerId },
    write: (provider: IntegrationProvider, config = integrationConfig(provider)) =>
      world.run(writeIntegration(world.ports, projectId, provider, config)),
    find: (provider: IntegrationProvider, id = projectId) => world.run(look(id, provider)),
  }
}

describe("an active integration", () => {
  it.each(["subscription", "paywall", "push_a", "push_b"] as const)(
    "is found with its secrets: %s",
    async (provider) => {
      const { projectId, write, find } = await setUp()
      const { id, updated_at } = await write(provider)
      const defaults = { subscription: { accept_sandbox: false }, paywall: { signature_scheme: "hex" } }
      expect(await find(provider)).toEqual({
        ...{ provider, project_id: projectId, version: `${id}/1/${updated_at.getTime()}` },
        ...(provider in defaults ? defaults[provider as keyof typeof defaults] : {}),
        ...integrationConfig(provider),
      })
    },
  )

  it("is one of a project that is there", async () => {
    const { world, projectId, ownerId, write, find } = await setUp()
    await write("paywall")
    expect(await find("paywall", anId())).toBeNull()
    expect(await find("paywall")).not.toBeNull()
    await world.run(world.core.projects.remove(projectId, ownerId))
    expect(await find("paywall")).toBeNull()
  })

  it.each([
    ["subscription", "webhook_secret"],
    ["paywall", "webhook_secret"],
    ...(["team_id", "key_id", "private_key", "topic"] as const).map((name) => ["push_a", name] as const),
    ["push_b", "service_account"],
  ] as const)("is none without all that it needs: %s without %s", async (provider, name) => {
    const { write, find } = await setUp()
    const config: Record<string, unknown> = { ...integrationConfig(provider) }
    delete config[name]
    await write(provider, config as ReturnType<typeof integrationConfig>)
    expect(await find(provider)).toBeNull()
  })

  it("is none where its secret cannot be read, which operators are told [H1.2]", async () => {
    const { world, projectId, write } = await setUp()
    await write("paywall")

    const secrets = memorySecretBox(["another key"])
    const found = await world.run(makeFindIntegration({ ...world.ports, secrets })(projectId, "paywall"))
    expect(found).toBeNull()
    expect(world.signals.of("secret_unreadable")).toEqual([
      { name: "secret_unreadable", project_id: projectId, provider: "paywall" },
    ])
  })

  it("opens at its own place only: a sealed text put into another row is no secret [H1.2]", async () => {
    const { world, projectId, write, find } = await setUp()
    const { sealed, sealed_with } = await write("paywall")
    const other = await write("subscription")
    await world.run(
      world.control.transact((db) => Effect.orDie(db.integrations.update(other.id, { sealed, sealed_with }))),
    )
    expect(await find("subscription")).toBeNull()
    const stranger = await world.aProjectWithOwner()
    await world.run(writeIntegration(world.ports, stranger.projectId, "paywall"))
    const [foreign] = await world.run(
      world.control.read((db) => db.integrations.list({ project_id: stranger.projectId }, [])),
    )
    await world.run(
      world.control.transact((db) => Effect.orDie(db.integrations.update(foreign?.id ?? "", { sealed, sealed_with }))),
    )
    expect(await find("paywall", stranger.projectId)).toBeNull()
    expect(await find("paywall", projectId)).not.toBeNull()
  })

  it("is remembered for ten seconds, and forgotten when it changes", async () => {
    const { world, projectId, write, find } = await setUp()
    const { id } = await write("paywall")
    const before = await find("paywall")
    const change = () =>
      world.run(world.control.transact((db) => Effect.orDie(db.integrations.update(id, { is_active: false }))))
    await change()
    world.clock.advance(9_999)
    expect(await find("paywall")).toEqual(before)
    world.clock.advance(1)
    expect(await find("paywall")).toBeNull()
    await write("paywall")
    await world.run(world.ports.revocations.announce([projectId]))
    expect(await find("paywall")).not.toBeNull()
  })
})
