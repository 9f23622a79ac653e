import type { TenantDb } from "@hearth/core"
import type { FeedItemRow, FeedQuery, FeedScope } from "@hearth/core/feeds"
import type { GroupRow } from "@hearth/core/groups"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aGroup, aGroupMember } from "../groups/builders.ts"
import { aBlock, aFollow } from "../relations/tables.ts"
import { aUser } from "../users/builders.ts"
import { aFeedItem } from "./tables.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)
const names = ["viewer", "friend", "stranger", "blocked", "blocker", "member"] as const

/** A viewer with others, groups, and an item for each case. */
const writeWorld = Effect.fnUntraced(function* (db: TenantDb) {
  const users = Object.fromEntries(names.map((name) => [name, aUser()])) as Record<
    (typeof names)[number],
    ReturnType<typeof aUser>
  >
  for (const user of Object.values(users)) yield* db.users.insert(user)
  const ids = Object.fromEntries(names.map((name) => [name, users[name].id])) as Record<(typeof names)[number], string>
  const groups = {
    open: aGroup(),
    secret: aGroup({ is_public: false }),
    held: aGroup({ moderation: "held" }),
    other: aGroup({ is_public: false }),
  }
  for (const group of Object.values(groups)) yield* db.groups.insert(group)
  for (const app_user_id of [ids.viewer, ids.member])
    yield* db.groupMembers.add(aGroupMember({ group_id: groups.secret.id, app_user_id }))
  yield* db.groupMembers.add(aGroupMember({ group_id: groups.other.id, app_user_id: ids.member }))
  yield* db.follows.insert(aFollow({ follower_id: ids.viewer, followed_id: ids.friend }))
  yield* db.follows.insert(aFollow({ follower_id: ids.stranger, followed_id: ids.viewer }))
  yield* db.blocks.insert(aBlock({ blocker_id: ids.viewer, blocked_id: ids.blocked }))
  yield* db.blocks.insert(aBlock({ blocker_id: ids.blocker, blocked_id: ids.viewer }))
  return { ids, groups }
})

/** What a project promises about reading feeds [I3.1, I3.2]. */
export const readFeedContract = (open: Open) =>
  describe("reading a feed", () => {
    let db: DatabaseUnderTest<TenantDb>
    let ids: Record<(typeof names)[number], string>
    let groups: Record<"open" | "secret" | "held" | "other", GroupRow>
    const labels = new Map<string, string>()
    let minutes = 0

    beforeEach(async () => {
      db = await open()
      ;({ ids, groups } = await db.transact((tx) => Effect.orDie(writeWorld(tx))))
    })

    /** Writes an item a minute later than the one before. */
    const write = async (label: string, actor: (typeof names)[number], given: Partial<FeedItemRow> = {}) => {
      minutes += 1
      const item = aFeedItem({ actor_id: ids[actor], created_at: at(minutes * 60_000), ...given })
      labels.set(item.id, label)
      await db.transact((tx) => tx.feedItems.insertNew([item]))
      return item
    }

    /** The labels of all pages of a feed, from the first to the last. */
    const readAll = async (scope: FeedScope, limit = 100, viewer_id = ids.viewer) => {
      const found: Array<string> = []
      let after: FeedQuery["after"] = null
      for (let pages = 0; pages < 1_000; pages += 1) {
        const query: FeedQuery = { viewer_id, scope, after, limit }
        const { items, next } = await db.read((tx) => tx.feedItems.readFeed(query))
        expect(items.length).toBeLessThanOrEqual(limit)
        found.push(...items.map(({ id }) => labels.get(id) ?? id))
        if (next === null) return found
        after = next
      }
      throw new Error("The feed has no end.")
    }
    const group = ({ id }: GroupRow): FeedScope => ({ of: "group", group_id: id })

    it("has nobody's items before there are any", async () => {
      for (const scope of ["all", "following", "mine"] as const) expect(await readAll({ of: scope })).toEqual([])
      expect(await readAll(group(groups.secret))).toEqual([])
    })

    it("has those of the scope, without users of whom one blocked the other, and without groups that are not open", async () => {
      const { open, secret, held, other } = groups
      await write("own", "viewer")
      await write("friend", "friend", { target_id: "x" })
      await write("stranger", "stranger")
      await write("blocked", "blocked")
      await write("blocker", "blocker")
      await write("member", "member")
      await write("own secret", "viewer", { group_id: secret.id })
      await write("friend secret", "friend", { group_id: secret.id })
      await write("member secret", "member", { group_id: secret.id })
      await write("member other", "member", { group_id: other.id })
      await write("member open", "member", { group_id: open.id })
      await write("member held", "member", { group_id: held.id })
      await write("member gone", "member", { group_id: anId() })
      await write("to secret", "stranger", { target_id: secret.id, target_group_id: secret.id })
      await write("to other", "stranger", { target_id: other.id, target_group_id: other.id })
      await write("to secret by blocked", "blocked", { target_id: secret.id, target_group_id: secret.id })
      await write("member to open", "member", { target_id: open.id, target_group_id: open.id })

      for (const limit of [1, 2, 3, 100]) {
        expect(await readAll({ of: "all" }, limit)).toEqual([
          ...["member to open", "member open", "member", "stranger", "friend", "own"],
        ])
        expect(await readAll({ of: "following" }, limit)).toEqual(["friend"])
        expect(await readAll({ of: "mine" }, limit)).toEqual(["own secret", "own"])
        expect(await readAll(group(secret), limit)).toEqual([
          ...["member to open", "to secret", "member open", "member secret", "own secret", "member", "own"],
        ])
      }
      const capitals = group({ ...secret, id: secret.id.toUpperCase() })
      expect(await readAll(capitals, 2, ids.viewer.toUpperCase())).toEqual(await readAll(group(secret)))
      expect(await readAll({ of: "mine" }, 2, ids.viewer.toUpperCase())).toEqual(["own secret", "own"])
      expect(await readAll(group(other), 100, ids.member)).toEqual([
        ...["member to open", "to other", "member open", "member other", "member"],
      ])
      expect(await readAll({ of: "following" }, 100, ids.stranger)).toEqual(["own"])
    })

    it("follows a group that becomes public or private", async () => {
      const change = (is_public: boolean) =>
        db.transact((tx) => Effect.orDie(tx.groups.update(groups.secret.id, { is_public })))
      await write("friend", "friend")
      await write("friend secret", "friend", { group_id: groups.secret.id })
      await change(true)
      expect(await readAll({ of: "following" })).toEqual(["friend secret", "friend"])
      await change(false)
      expect(await readAll({ of: "following" })).toEqual(["friend"])
    })

    it("is read from a position on, the newest first, by greater id at one instant", async () => {
      await write("friend", "friend")
      const created_at = at(10 ** 9)
      const items: Array<FeedItemRow> = []
      for (const label of ["one", "two", "three"]) items.push(await write(label, "friend", { created_at }))
      const read = (after: FeedQuery["after"], limit: number) =>
        db.read((tx) => tx.feedItems.readFeed({ viewer_id: ids.viewer, scope: { of: "following" }, after, limit }))
      const first = await read(null, 2)
      expect(first.items.map(({ id }) => labels.get(id))).toEqual(["three", "two"])
      expect(first.items[0]).toStrictEqual({
        ...{ id: items[2]?.id, actor_id: ids.friend, action: "learned", target_id: null, created_at },
        actor: { id: ids.friend, display_name: expect.any(String), avatar_url: null },
      })
      expect(first.next).toEqual({ created_at, id: items[1]?.id })
      expect((await read(first.next, 2)).items.map(({ id }) => labels.get(id))).toEqual(["one", "friend"])
      // What the position names need not be there any more, and what is newer does not move the page.
      await db.transact((tx) => tx.feedItems.remove({ id: items[1]?.id ?? "" }))
      await write("newer", "friend", { created_at: at(10 ** 9 + 1) })
      expect((await read(first.next, 1)).items.map(({ id }) => labels.get(id))).toEqual(["one"])
      expect((await read({ created_at: at(0), id: anId() }, 2)).items).toEqual([])
    })

    it("has an end, and every item once, where most of it is left out", async () => {
      for (let n = 0; n < 260; n += 1) {
        await write("noise", "blocked")
        if (n % 130 === 0) await write(`seen ${n}`, "stranger")
      }
      const seen = (await readAll({ of: "all" }, 1)).filter((label) => label.startsWith("seen") || label === "noise")
      expect(seen).toEqual(["seen 130", "seen 0"])
    })
  })
