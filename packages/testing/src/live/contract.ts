import type { TenantDb } from "@hearth/core"
import type { NewRows, ProjectFilter, UserItem } from "@hearth/core/live"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anAchievement, aUserAchievement } from "../achievements/builders.ts"
import { aDeadLetter } from "../background/dead-letters.contract.ts"
import { anId, builtAt } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn } from "../contracts/interleaving.harness.ts"
import { anEvent } from "../events/builders.ts"
import { aFeedItem } from "../feeds/tables.ts"
import { aGroup } from "../groups/builders.ts"
import { writeConversation, writeMessage } from "../messaging/builders.ts"
import { aBlock, aFollow } from "../relations/tables.ts"
import { aStreakDefinition, aUserStreak } from "../streaks/builders.ts"
import { writeUser } from "../users/tables.ts"
import { anXpEntry } from "../xp/builders.ts"

type Db = DatabaseUnderTest<TenantDb>

const everything = "00000000-0000-7000-8000-000000000000"
const all: ProjectFilter = { event_name: null, user_id: null }

const take = async (db: Db) => (await db.read((tx) => tx.live.take())).snapshot
const since = (after: string, given: Partial<NewRows> = {}): NewRows => ({
  ...{ after, upto: null, from_id: everything },
  ...given,
})
const describeItem = ({ kind, user_id, item }: UserItem) => [kind, user_id, item.id]

/** What every reading promises about what is new for users. */
export const liveUsersContract = (open: () => Promise<Db>) =>
  describe("what is new for users", () => {
    let db: Db
    beforeAll(async () => {
      db = await open()
    })
    const user = () => db.transact(writeUser)
    const read = (rows: NewRows, users: ReadonlyArray<string>, limit = 100) =>
      db.read((tx) => tx.live.ofUsers(rows, users, limit))
    const items = async (after: string, ...users: ReadonlyArray<string>) => (await read(since(after), users)).items
    const follow = (follower_id: string, followed_id: string) =>
      db.transact((tx) => Effect.orDie(tx.follows.insert(aFollow({ follower_id, followed_id }))))

    it("is each row once, in the order of commits, whichever transaction began first", async () => {
      const one = await user()
      const begun = await take(db)
      const early = beginOn(db)
      const [first, second] = [anXpEntry({ app_user_id: one }), anXpEntry({ app_user_id: one })]
      await early.step((tx) => Effect.andThen(tx.xpTotals.lockMany([one]), tx.xpEntries.insertMany([first])))
      await db.transact((tx) => tx.xpEntries.insertMany([second]))
      const seen = await read(since(begun), [one])
      expect(seen.items.map(({ item }) => item.id)).toEqual([second.id])
      expect((await read(since(seen.snapshot), [one])).items).toEqual([])
      await early.commit()
      const later = await read(since(seen.snapshot), [one])
      expect(later.items.map(({ item }) => item.id)).toEqual([first.id])
      expect(await items(later.snapshot, one)).toEqual([])
      expect((await items(begun, one)).map(({ item }) => item.id)).toEqual([first.id, second.id])
      const upto = (await read(since(begun, { upto: seen.snapshot }), [one])).items
      expect(upto.map(({ item }) => item.id)).toEqual([second.id])
    })

    it("is nothing of what was rolled back, of older ids, of others, and beyond the limit", async () => {
      const [one, other] = [await user(), await user()]
      const begun = await take(db)
      const rolled = beginOn(db)
      await rolled.step((tx) => tx.xpEntries.insertMany([anXpEntry({ app_user_id: one })]))
      await rolled.rollBack()
      const [first, second] = [anXpEntry({ app_user_id: one }), anXpEntry({ app_user_id: one })]
      await db.transact((tx) => Effect.andThen(tx.xpTotals.lockMany([one]), tx.xpEntries.insertMany([first, second])))
      expect(await items(begun, other)).toEqual([])
      expect(await items(begun)).toEqual([])
      const younger = await read(since(begun, { from_id: second.id }), [one, other])
      expect(younger.items.map(({ item }) => item.id)).toEqual([second.id])
      expect((await read(since(begun), [one], 1)).items).toHaveLength(1)
    })

    it("is counted for each user who has anything, as it is read", async () => {
      const { id, users } = await db.transact((tx) => writeConversation(tx, 2))
      const [sender, reader] = users
      const none = await user()
      const begun = await take(db)
      await db.transact((tx) => writeMessage(tx, id, sender))
      const first = await take(db)
      await db.transact((tx) => writeMessage(tx, id, sender, { moderation: "held" }))
      const count = (rows: NewRows) => db.read((tx) => tx.live.countOfUsers(rows, [sender, reader, none]))
      expect(await count(since(begun))).toEqual(
        new Map([
          [sender, 2],
          [reader, 1],
        ]),
      )
      expect(await count(since(begun, { upto: first }))).toEqual(
        new Map([
          [sender, 1],
          [reader, 1],
        ]),
      )
      expect(await count(since(first))).toEqual(new Map([[sender, 1]]))
      expect(await count(since(await take(db)))).toEqual(new Map())
    })

    it("is a message to all who take part and see it, and again when it is changed", async () => {
      const { id, users } = await db.transact((tx) => writeConversation(tx, 2))
      const [sender, reader] = users
      const stranger = await user()
      const begun = await take(db)
      const shown = await db.transact((tx) => writeMessage(tx, id, sender))
      const held = await db.transact((tx) => writeMessage(tx, id, sender, { moderation: "held" }))
      const found = await items(begun, sender, reader, stranger)
      expect(found.map(describeItem)).toEqual(
        expect.arrayContaining([
          ["message", sender, shown.id],
          ["message", reader, shown.id],
          ["message", sender, held.id],
        ]),
      )
      expect(found).toHaveLength(3)
      const page = await db.read((tx) =>
        tx.messages.pageForUser(id, reader, { before: null, after: null }, { limit: 9, offset: 0 }),
      )
      expect(found.filter(({ user_id }) => user_id === reader).map(({ item }) => item)).toEqual(page.rows)
      const after = await take(db)
      await db.transact((tx) => tx.messages.erase(shown.id, sender))
      expect(await items(after, reader)).toMatchObject([{ kind: "message", item: { id: shown.id, body: null } }])
    })

    it("is what a user has unlocked, and XP with the total and the levels that it reached", async () => {
      const one = await user()
      const achievement = anAchievement({ name: "First \u{1f98a}", xp_reward: 5 })
      await db.transact((tx) => Effect.orDie(tx.achievements.insert(achievement)))
      const levels = [
        { name: "Bronze", xp_required: 10 },
        { name: "Silver", xp_required: 1000 },
      ]
      await db.transact((tx) => tx.xpLevels.replace(levels))
      const begun = await take(db)
      const unlock = aUserAchievement({ app_user_id: one, achievement_id: achievement.id })
      const entry = anXpEntry({ app_user_id: one, amount: 12, source: "event", reference_id: anId() })
      const event = { id: anId(), app_user_id: one, event_name: "level_reached", occurred_at: new Date(0) }
      await db.transact((tx) =>
        Effect.gen(function* () {
          yield* Effect.orDie(tx.userAchievements.insert(unlock))
          yield* tx.xpTotals.lockMany([one])
          yield* tx.xpEntries.insertMany([entry])
          yield* tx.xpTotals.save([{ app_user_id: one, total: 12, highest_total: 12 }])
          yield* tx.events.insertCaused([
            { ...event, properties: { name: "Bronze", xp_required: 10 }, cause_key: `xp/${one}/10/level_reached` },
          ])
        }),
      )
      const { id, amount, source, reference_id, created_at } = entry
      const { key, name, description, icon_url, xp_reward } = achievement
      expect((await items(begun, one)).map(({ kind, item }) => ({ kind, item }))).toEqual([
        {
          kind: "achievement",
          item: {
            ...{ id: unlock.id, achievement_id: achievement.id, key, name, description, icon_url, xp_reward },
            unlocked_at: unlock.unlocked_at,
          },
        },
        { kind: "xp", item: { id, amount, source, reference_id, created_at, total: 12 } },
        { kind: "level", item: { id: event.id, name: "Bronze", xp_required: 10 } },
      ])
    })

    it("is a streak as it was counted, each time that it is", async () => {
      const one = await user()
      const definition = aStreakDefinition()
      await db.transact((tx) => Effect.orDie(tx.streakDefinitions.insert(definition)))
      const streak = aUserStreak({ app_user_id: one, streak_definition_id: definition.id, current_count: 1 })
      const begun = await take(db)
      await db.transact((tx) => tx.userStreaks.save([streak]))
      const { last_period: _, settled_period: _s, last_event_at: _e, last_done_at: _d, rules: _r, ...rest } = streak
      const { last_done_zone: _z, rebuild_from: _f, ...view } = rest
      expect(await items(begun, one)).toMatchObject([{ kind: "streak", item: { ...view, name: definition.name } }])
      const after = await take(db)
      await db.transact((tx) => tx.userStreaks.save([{ ...streak, current_count: 2 }]))
      expect(await items(after, one)).toMatchObject([{ kind: "streak", item: { current_count: 2 } }])
    })

    it("is feed items of their own and of those whom they follow, as the feed shows them", async () => {
      const [actor, fan, blocked, stranger] = [await user(), await user(), await user(), await user()]
      await follow(fan, actor)
      await follow(blocked, actor)
      await db.transact((tx) => Effect.orDie(tx.blocks.insert(aBlock({ blocker_id: blocked, blocked_id: actor }))))
      const [open, closed] = [aGroup({ owner_id: actor }), aGroup({ owner_id: actor, is_public: false })]
      for (const group of [open, closed]) await db.transact((tx) => Effect.orDie(tx.groups.insert(group)))
      const begun = await take(db)
      const [plain, shown, hidden] = [
        aFeedItem({ actor_id: actor, created_at: new Date(builtAt) }),
        aFeedItem({ actor_id: actor, target_group_id: open.id }),
        aFeedItem({ actor_id: actor, group_id: closed.id }),
      ]
      await db.transact((tx) => tx.feedItems.insertNew([plain, shown, hidden]))
      const found = await items(begun, actor, fan, blocked, stranger)
      const of = (id: string) => found.filter(({ user_id }) => user_id === id).map(({ item }) => item.id)
      expect([of(actor), of(fan), of(blocked), of(stranger)]).toEqual([
        [plain.id, shown.id, hidden.id],
        [plain.id, shown.id],
        [],
        [],
      ])
      const { items: page } = await db.read((tx) =>
        tx.feedItems.readFeed({ viewer_id: fan, scope: { of: "following" }, limit: 9, after: null }),
      )
      expect(page).toContainEqual(found.find(({ user_id, item }) => user_id === fan && item.id === plain.id)?.item)
    })
  })

/** What every reading promises about what is new in a project. */
export const liveProjectContract = (open: () => Promise<Db>) =>
  describe("what is new in a project", () => {
    let db: Db
    beforeAll(async () => {
      db = await open()
    })
    const user = () => db.transact(writeUser)
    const read = (after: string, filter: Partial<ProjectFilter> = {}, limit = 10) =>
      db.read((tx) => tx.live.ofProject(since(after), { ...all, ...filter }, limit))
    const noCounts = { events: 0, effects: 0, dead_letters: 0 }

    it("counts everything, names what is most frequent, and shows the newest", async () => {
      const one = await user()
      const begun = await take(db)
      expect(await read(begun)).toMatchObject({ counts: noCounts, names: [], items: [] })
      const events = ["a", "b", "b", "b"].map((event_name) => anEvent({ app_user_id: one, event_name }))
      await db.read((tx) => tx.events.insert(events, { enqueue: false }))
      const news = await read(begun, {}, 2)
      expect(news.counts).toEqual({ ...noCounts, events: 4 })
      expect(news.names).toEqual([
        { event_name: "b", count: 3 },
        { event_name: "a", count: 1 },
      ])
      expect(news.items.map(({ kind, item }) => [kind, item.id])).toEqual([
        ["event", events[3]?.id],
        ["event", events[2]?.id],
      ])
      const { external_id: _, ...shown } = events[3] ?? anEvent({ app_user_id: one })
      expect(news.items[0]?.item).toEqual(shown)
      expect(await read(news.snapshot)).toMatchObject({ counts: noCounts, items: [] })
    })

    it("is narrowed to a user, and to an event with what was done for it", async () => {
      const [one, other] = [await user(), await user()]
      const definition = aStreakDefinition()
      await db.transact((tx) => Effect.orDie(tx.streakDefinitions.insert(definition)))
      const begun = await take(db)
      const [wanted, unwanted] = [
        anEvent({ app_user_id: one, event_name: "wanted" }),
        anEvent({ app_user_id: other, event_name: "other" }),
      ]
      await db.read((tx) => tx.events.insert([wanted, unwanted], { enqueue: false }))
      const entries = [wanted, unwanted].map(({ id, app_user_id }) =>
        anXpEntry({ app_user_id, source: "event", reference_id: id }),
      )
      const letters = [wanted, unwanted].map(({ id, app_user_id }) => aDeadLetter({ event_id: id, app_user_id }))
      const feed = [wanted, unwanted].map(({ id, app_user_id }) => aFeedItem({ event_id: id, actor_id: app_user_id }))
      const streak = aUserStreak({ app_user_id: one, streak_definition_id: definition.id })
      await db.transact((tx) =>
        Effect.gen(function* () {
          yield* tx.xpTotals.lockMany([one, other])
          yield* tx.xpEntries.insertMany([...entries, anXpEntry({ app_user_id: other, reference_id: "no event" })])
          for (const letter of letters) yield* tx.deadLetters.insert(letter)
          yield* tx.feedItems.insertNew(feed)
          yield* tx.userStreaks.save([streak])
        }),
      )
      expect((await read(begun)).counts).toEqual({ events: 2, effects: 5, dead_letters: 2 })
      const expected = [
        ["event", wanted.id],
        ["dead_letter", letters[0]?.id],
        ["xp", entries[0]?.id],
        ["feed_item", feed[0]?.id],
        ["streak", streak.id],
      ]
      for (const filter of [{ user_id: one }, { event_name: "wanted" }, { user_id: one, event_name: "wanted" }]) {
        const news = await read(begun, filter)
        expect(news.counts).toEqual({ events: 1, effects: 2, dead_letters: 1 })
        expect(news.names).toEqual([{ event_name: "wanted", count: 1 }])
        expect(news.items.map(({ kind, item }) => [kind, item.id])).toEqual(expected)
      }
      expect(await read(begun, { user_id: one, event_name: "other" })).toMatchObject({ counts: noCounts })
    })

    it("has a dead letter again when it was tried again", async () => {
      const letter = aDeadLetter()
      await db.transact((tx) => tx.deadLetters.insert(letter))
      const begun = await take(db)
      await db.transact((tx) =>
        tx.deadLetters.save({ ...letter, status: "dead", tries: 5, next_try_at: null }, letter.tries),
      )
      const { payload: _, next_try_at: _n, ...shown } = letter
      expect((await read(begun)).items).toEqual([{ kind: "dead_letter", item: { ...shown, status: "dead", tries: 5 } }])
    })
  })
