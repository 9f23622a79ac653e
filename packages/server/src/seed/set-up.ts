import type { AdminClient } from "../demo/progress.ts"

/** What the example defines: streaks, XP and levels, achievements, boards, money and a shop, a feed, a segment. */
export const setUpExample = async (admin: AdminClient) => {
  await admin("POST", "/streaks", {
    ...{ name: "Daily lesson", qualifying_event: "lesson_completed", period: "daily" },
    ...{ freeze_enabled: true, max_freezes: 2, freezes_per_n_events: 20 },
  })
  await admin("POST", "/streaks", { name: "Every week", qualifying_event: "lesson_completed", period: "weekly" })
  await admin("PUT", "/xp/rules", {
    rules: [
      { event_name: "lesson_completed", amount: 10, daily_cap: 50 },
      { event_name: "quiz_passed", amount: 25 },
    ],
  })
  const levels = [
    ["Novice", 0],
    ["Learner", 200],
    ["Speaker", 600],
    ["Fluent", 1_500],
  ] as const
  await admin("PUT", "/xp/levels", { levels: levels.map(([name, xp_required]) => ({ name, xp_required })) })
  const achievements = [
    ["first-lesson", "First lesson", "lesson_completed", 1, 10],
    ["thirty-lessons", "Thirty lessons", "lesson_completed", 30, 100],
    ["ten-quizzes", "Ten quizzes", "quiz_passed", 10, 50],
  ] as const
  for (const [key, name, event, count, xp_reward] of achievements)
    await admin("POST", "/achievements", { key, name, xp_reward, criteria: { all: [{ event, count }] } })
  const weekly = await admin("POST", "/leaderboards", { name: "XP of the week", metric: "xp", period: "weekly" })
  const board = await admin("POST", "/leaderboards", { name: "XP of all time", metric: "xp" })
  await admin("POST", "/currencies", { code: "COINS", name: "Coins", initial_balance: 100, max_balance: 10_000 })
  await admin("POST", "/currencies", {
    ...{ code: "ENERGY", name: "Energy", initial_balance: 5, max_balance: 5 },
    ...{ auto_recharge_amount: 1, auto_recharge_interval_hours: 2 },
  })
  const item = await admin("POST", "/catalog/items", {
    ...{ key: "owl-hat", name: "A hat for the owl", item_type: "cosmetic", prices: { COINS: 60 } },
    contents: { xp: 15 },
  })
  const store = await admin("POST", "/stores", { name: "The owl's shop" })
  const listing = await admin("POST", `/stores/${store.id}/listings`, {
    catalog_item_id: item.id,
    max_purchases_per_user: 3,
  })
  await admin("POST", "/feeds/rules", { source_event: "quiz_passed", action: "passed", target_type: "quiz" })
  await admin("POST", "/segments", {
    name: "Learns nearly every day",
    rules: { operator: "AND", conditions: [{ event: "lesson_completed", op: "gte", count: 20, within: "14d" }] },
  })
  return {
    boardIds: [weekly.id as string, board.id as string] as const,
    storeId: store.id as string,
    listingId: listing.id as string,
  }
}
