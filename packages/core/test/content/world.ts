import type { TenantDb } from "@hearth/core"
import {
  type ClientItemChanges,
  type ContentItem,
  makeClientItems,
  makeItems,
  makeLibraries,
  makeRemoveLibrary,
  type NewClientItem,
  type NewContentItem,
} from "@hearth/core/content"
import { aContentItem, aContentLibrary, testWorld } from "@hearth/testing"
import { Effect, Option } from "effect"
import { ContentRejected, type Findings, type Moderate, type ModerationState } from "../../src/moderation/content.ts"

/** What moderation was told, in order. */
export type Told = ReadonlyArray<readonly [name: string, ...details: ReadonlyArray<unknown>]>

/** Moderation that holds a text with `hold`, flags one with `flag`, refuses one with `reject`, and remembers what it is told. */
const recordedModeration = () => {
  const told: Array<readonly [string, ...ReadonlyArray<unknown>]> = []
  const has = (texts: ReadonlyArray<string | null>, word: string) => texts.some((text) => text?.includes(word))
  const moderate: Moderate<TenantDb> = {
    check: (_, { texts, urls }) =>
      Effect.suspend(() => {
        told.push(["check", texts, urls])
        if (has(texts, "reject")) return Effect.fail(new ContentRejected())
        const action = has(texts, "hold") ? "hold" : has(texts, "flag") ? "flag" : null
        return Effect.succeed<Findings>({ action, rule_id: null, reason: null, excerpt: "" })
      }),
    record: (_, { action }, content, before) =>
      Effect.sync((): ModerationState => {
        told.push(["record", action, content, before])
        return before === "rejected" ? before : action === "hold" ? "held" : (before ?? "shown")
      }),
    isTrusted: () => Effect.succeed(false),
    noteChange: (_, type, id) => Effect.sync(() => void told.push(["noteChange", type, id])),
  }
  return { moderate, told: (): Told => told.splice(0) }
}

/** The fields of a developer's item that are not given. */
export const plainItem: NewContentItem = {
  ...{ title: null, body: "Body", media_url: null, category: null, tags: [], metadata: {} },
  is_premium: false,
}

/** A project with a library, a user, and moderation that tells what it was told. */
export const contentWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const user = async () => (await world.aSignedInUser(projectId)).userId
  const userId = await user()
  const { ports, run, tenants } = world
  const { moderate, told } = recordedModeration()
  const clients = makeClientItems(ports, moderate)
  const items = makeItems(ports, moderate)
  const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) => run(tenants.transact(projectId, work))
  const library = async () => {
    const row = aContentLibrary()
    await transact((db) => Effect.orDie(db.contentLibraries.insert(row)))
    return row.id
  }
  const libraryId = await library()
  const { is_premium: _, ...plainClientItem } = plainItem
  return {
    ...{ world, run, projectId, userId, user, transact, library, libraryId, told, clients, items },
    libraries: makeLibraries(ports),
    removeLibrary: makeRemoveLibrary(ports),
    stored: async (given: Partial<ContentItem> = {}) => {
      const row = aContentItem({ library_id: libraryId, ...given })
      await transact((db) => Effect.orDie(db.contentItems.insert(row)))
      return row
    },
    find: async (id: string) => Option.getOrNull(await transact((db) => db.contentItems.find({ id }))),
    create: (given: Partial<NewClientItem> = {}, as = userId, into = libraryId) =>
      clients.create(projectId, as, into, { ...plainClientItem, ...given }),
    change: (id: string, changes: ClientItemChanges, as = userId) => clients.update(projectId, as, id, changes),
    seenBy: async (as: string, category?: string) => {
      const query = { limit: 100, offset: 0, ...(category === undefined ? {} : { category }) }
      return (await run(clients.list(projectId, as, libraryId, query))).rows.map(({ id }) => id)
    },
    code: (effect: Effect.Effect<unknown, { readonly code: string }>) =>
      run(Effect.match(effect, { onFailure: ({ code }) => code, onSuccess: () => "ok" })),
  }
}
