import { A } from "@solidjs/router"
import { Match, Show, Switch } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { createPages } from "../../../parts/tables/load-more.ts"
import { More } from "../../../parts/tables/more.tsx"
import { actionColumn, type Columns, Table } from "../../../parts/tables/table.tsx"
import { Facts } from "../../../parts/values/facts.tsx"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { Time } from "../../../parts/values/time.tsx"
import { sayWord } from "../../../parts/values/words.ts"
import { OnceKey, readOnceKey } from "../actions/once-key.tsx"
import { readNumber, readText } from "../form.ts"
import { Listed } from "../listed.tsx"
import { NamedLink } from "../named-link.tsx"
import { Records } from "../records.tsx"
import { useUser } from "../use-user.ts"

type Achievement = Schemas["AchievementOfUser"]
type Entry = Schemas["XpEntry"]

interface XpPage {
  readonly data: ReadonlyArray<Entry>
  readonly next_cursor: string | null
  readonly summary: Omit<Schemas["UserXp"], "entries" | "next_cursor">
}

const Achievements = () => {
  const user = useUser()
  const achievements = createQuery(() => ({
    queryKey: user.key("achievements"),
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/users/{userId}/achievements", {
        params: { path: user.path(), query: { limit: 1000 } },
      }),
  }))
  const makePath = ({ id }: Achievement) => ({ params: { path: { ...user.path(), achievementId: id } } })
  const give = async (achievement: Achievement) => {
    await api.POST("/admin/projects/{projectId}/users/{userId}/achievements/{achievementId}", makePath(achievement))
    await user.refresh()
  }
  const takeBack = async (achievement: Achievement) => {
    await api.DELETE("/admin/projects/{projectId}/users/{userId}/achievements/{achievementId}", makePath(achievement))
    await user.refresh()
  }
  const columns = (): Columns<Achievement> => [
    { id: "name", header: "Achievement", cell: ({ row: { original } }) => original.name },
    {
      id: "progress",
      header: "Progress",
      cell: ({ row: { original } }) =>
        `${sayNumber(original.progress.current)} of ${sayNumber(original.progress.target)}`,
    },
    { id: "unlocked", header: "Unlocked", cell: ({ row: { original } }) => <Time at={original.unlocked_at} /> },
    { id: "xp", header: "XP", cell: ({ row: { original } }) => sayNumber(original.xp_reward) },
    ...actionColumn<Achievement>(user.project.mayWrite(), (achievement) => (
      <Show
        when={achievement.unlocked_at === null}
        fallback={
          <Confirm
            action="Take back"
            of={achievement.name}
            danger
            says={`“${achievement.name}” is taken from the user, with its XP. Only by hand can it be unlocked again.`}
            done="The achievement is taken back."
            run={() => takeBack(achievement)}
          />
        }
      >
        <Confirm
          action="Give"
          of={achievement.name}
          says={`“${achievement.name}” is unlocked for the user, with ${sayNumber(achievement.xp_reward)} XP.`}
          done="The achievement is given."
          run={() => give(achievement)}
        />
      </Show>
    )),
  ]
  return <Listed title="Achievements" of={achievements} columns={columns()} empty="The project has no achievement." />
}

const Xp = () => {
  const user = useUser()
  const xp = createPages<Entry, XpPage>(
    () => user.key("xp"),
    async (cursor = "start", signal) => {
      const { entries, next_cursor, ...summary } = (
        await api.GET("/admin/projects/{projectId}/users/{userId}/xp", {
          params: { path: user.path(), query: { cursor } },
          signal,
        })
      ).data
      return { data: entries, next_cursor: next_cursor ?? null, summary }
    },
  )
  const summary = () => xp.first()?.summary
  const give = async (form: FormData) => {
    await api.POST("/admin/projects/{projectId}/users/{userId}/xp", {
      params: { path: user.path(), header: readOnceKey(form) },
      body: { amount: readNumber(form, "amount") ?? 0, reason: readText(form, "reason") },
    })
    await user.refresh()
  }
  const columns: Columns<Entry> = [
    { header: "When", cell: ({ row: { original } }) => <Time at={original.created_at} /> },
    { header: "XP", cell: ({ row: { original } }) => sayNumber(original.amount) },
    { header: "From", cell: ({ row: { original } }) => sayWord(original.source) },
    {
      header: "Because of",
      cell: ({ row: { original } }) => (
        <Show when={original.reference_id} fallback={<span class="quiet">–</span>}>
          {(id) => (
            <Switch fallback={id()}>
              <Match when={original.source === "event"}>
                <A href={user.hrefOfEvent(id(), original.created_at)}>
                  the event<span class="unseen"> {id().slice(-8)}</span>
                </A>
              </Match>
              <Match when={original.source === "achievement"}>
                <NamedLink folder="achievements" id={id()} />
              </Match>
            </Switch>
          )}
        </Show>
      ),
    },
  ]
  return (
    <>
      <header class="row">
        <h2>XP</h2>
        <Show when={user.project.mayWrite()}>
          <div class="row end">
            <Confirm
              action="Give XP"
              says="The XP count at once, for the level too. A negative number takes some; what takes more than there is takes all."
              done="The XP are given."
              run={give}
            >
              <OnceKey />
              <Field name="amount" label="XP" inputMode="numeric" required />
              <Field name="reason" label="Reason" hint="Kept with the entry." />
            </Confirm>
          </div>
        </Show>
      </header>
      <Loaded of={xp.query}>
        {() => (
          <>
            <Facts
              of={[
                ["Total", () => sayNumber(summary()?.total ?? 0)],
                ["Level", () => summary()?.level?.name ?? "none"],
                [
                  "Next level",
                  () => {
                    const next = summary()?.next_level ?? null
                    return next === null ? "none" : `${next.name} at ${sayNumber(next.xp_required)} XP`
                  },
                ],
              ]}
            />
            <details>
              <summary>The entries, the newest first</summary>
              <Table label="XP, the newest entries first" rows={xp.rows()} columns={columns} empty="No XP yet." />
              <More of={xp.query} />
            </details>
          </>
        )}
      </Loaded>
    </>
  )
}

// Windows are in UTC. The one of all time begins with the first day that can be written.
const sayWindow = (start: unknown): string => {
  const day = String(start).slice(0, 10)
  return day === "0001-01-01" ? "all time" : `from ${day} (UTC)`
}

/** Achievements, XP and ranks. */
const Progress = () => (
  <>
    <Achievements />
    <Xp />
    <Records
      section="leaderboard_entries"
      title="Leaderboards"
      fields={[
        {
          header: "Leaderboard",
          cell: ({ leaderboard_id }) => <NamedLink folder="leaderboards" id={leaderboard_id} />,
        },
        { header: "Window", cell: ({ window_start }) => sayWindow(window_start) },
        "score",
        "rank",
        "reached_at",
      ]}
      empty="The user is on no leaderboard."
    />
    <Records
      section="onboarding_progress"
      title="Onboarding"
      fields={[
        { header: "Flow", cell: ({ flow_id }) => <NamedLink folder="onboarding" id={flow_id} /> },
        "status",
        "current_step",
        "started_at",
        "completed_at",
      ]}
      empty="The user has begun no onboarding."
    />
  </>
)

export default Progress
