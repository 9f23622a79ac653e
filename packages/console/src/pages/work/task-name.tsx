import { Show } from "solid-js"

/** What runs in the background, by the key under which it is stored, in words. */
export const taskNames: Readonly<Record<string, string>> = {
  achievements: "Progress of achievements",
  "achievements.evaluate": "Who has an achievement already",
  "analytics.activity": "Active users",
  "analytics.rebuild": "Active users, counted again",
  "event-effects": "What an event did, for who waits for it",
  feeds: "Items of the feed",
  leaderboards: "Scores of leaderboards",
  "leaderboards.rebuild": "Scores of a leaderboard, counted again",
  "leaderboards.streaks": "Leaderboards by streaks",
  "leaderboards.xp": "Leaderboards by XP",
  streaks: "Streaks",
  "streaks.rebuild": "Streaks, counted again",
  "users.seen": "When users were last seen",
  "webhooks.forget-user": "Forgetting a removed user in webhooks",
  "webhooks.process": "A webhook",
  "webhooks.resolve": "Webhooks that waited for a user",
  xp: "XP and levels",
}

/** The same with the key beside it, which logs and calls of the API have. */
export const TaskName = (props: { readonly of: string }) => (
  <Show when={taskNames[props.of]} fallback={<code>{props.of}</code>}>
    {(name) => (
      <>
        {name()} <code class="quiet">{props.of}</code>
      </>
    )}
  </Show>
)
