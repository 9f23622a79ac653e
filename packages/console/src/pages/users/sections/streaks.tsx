import { A } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { createSignal, For, Index, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Button } from "../../../parts/button.tsx"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { type Columns, Table } from "../../../parts/tables/table.tsx"
import { Facts } from "../../../parts/values/facts.tsx"
import { sayMany, sayNumber } from "../../../parts/values/say-number.ts"
import { Time } from "../../../parts/values/time.tsx"
import { readNumber } from "../form.ts"
import { useUser } from "../use-user.ts"

type Streak = Schemas["AdminUser"]["streaks"][number]
type Period = Schemas["StreakTimelinePeriod"]
type Entry = Period | Schemas["StreakTimelineFreezes"]

// As many periods as fit on a page, and as many as the service reads at once.
const fewPeriods = 90
const mostPeriods = 1_000
const dayMillis = 24 * 60 * 60 * 1_000

const isPeriod = (entry: Entry): entry is Period => "period" in entry

/** The last period that ended a streak: missed, while the period before it had one. */
const findBreak = (entries: ReadonlyArray<Entry>): Period | null => {
  const periods = entries.filter(isPeriod)
  return periods.find(({ kind }, at) => kind === "missed" && (periods[at + 1]?.count_after ?? 0) > 0) ?? null
}

/** When a period was: its day, or the first one of its week. */
const sayPeriod = ({ period, starts_at, ends_at }: Period): string =>
  Date.parse(ends_at) - Date.parse(starts_at) > 2 * dayMillis ? `in the week of ${period}` : `on ${period}`

const columnsFor = (user: ReturnType<typeof useUser>): Columns<Entry> => [
  {
    header: "When",
    cell: ({ row: { original } }) => (isPeriod(original) ? original.period : <Time at={original.at} />),
  },
  { header: "What", cell: ({ row: { original } }) => <span class={`tag ${original.kind}`}>{original.kind}</span> },
  {
    header: "Why",
    cell: ({ row: { original } }) => (
      <span class="sentence">
        {isPeriod(original)
          ? original.reason
          : `${original.count} ${original.count === 1 ? "freeze was" : "freezes were"} ${original.kind}.`}
      </span>
    ),
  },
  {
    header: "Events",
    cell: ({ row: { original } }) => (
      <Show when={isPeriod(original) && original.events}>
        {(events) => (
          <For each={events()}>
            {({ id, occurred_at }) => (
              <>
                <A href={user.hrefOfEvent(id, occurred_at)}>
                  <Time at={occurred_at} />
                </A>{" "}
              </>
            )}
          </For>
        )}
      </Show>
    ),
  },
  { header: "Count", cell: ({ row: { original } }) => (isPeriod(original) ? original.count_after : "") },
  { header: "Freezes", cell: ({ row: { original } }) => (isPeriod(original) ? original.freezes_after : "") },
]

const Why = (props: { readonly of: Streak }) => {
  const user = useUser()
  const columns = columnsFor(user)
  const [limit, setLimit] = createSignal(fewPeriods)
  const timeline = createQuery(() => ({
    queryKey: user.key("timeline", props.of.streak_definition_id, limit()),
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/users/{userId}/streaks/{streakDefinitionId}/timeline", {
        params: {
          path: { ...user.path(), streakDefinitionId: props.of.streak_definition_id },
          query: { limit: limit() },
        },
      }),
    placeholderData: keepPreviousData,
  }))
  const isLost = () => props.of.current_count === 0 && props.of.longest_count > 0
  return (
    <Loaded of={timeline}>
      {(found) => {
        const entries = () => found().data
        const broke = () => findBreak(entries())
        const isMore = () => entries().filter(isPeriod).length >= fewPeriods && limit() < mostPeriods
        return (
          <>
            <Show
              when={broke()}
              fallback={
                <p>
                  {isLost() ? "It broke before" : "It has not broken in"} the last{" "}
                  {sayMany(entries().filter(isPeriod).length, "period")}.
                </p>
              }
            >
              {(period) => (
                <p class="why">
                  <strong>{isLost() ? "Why it broke" : "When it last broke"}:</strong> {sayPeriod(period())}.{" "}
                  {period().reason}
                </p>
              )}
            </Show>
            <Show when={entries().find(isPeriod)}>{(now) => <p>Now: {now().reason}</p>}</Show>
            <details>
              <summary>
                Period by period<span class="unseen">: {props.of.streak_definitions.name}</span>
              </summary>
              <Table
                label={`${props.of.streak_definitions.name}, period by period`}
                rows={entries()}
                columns={columns}
                empty="Nothing has been done yet."
              />
            </details>
            <Show when={isMore()}>
              <div>
                <Button busy={timeline.isFetching} onClick={() => setLimit(mostPeriods)}>
                  Look further back<span class="unseen">: {props.of.streak_definitions.name}</span>
                </Button>
              </div>
            </Show>
          </>
        )
      }}
    </Loaded>
  )
}

/** How many the user has, and whether they save anything at all. */
const FreezeNote = (props: { readonly of: Streak }) => {
  const { project } = useUser()
  const definitions = createQuery(() => ({
    queryKey: ["streaks", project.id(), "freezes"],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/streaks", { params: { path: project.path(), query: { limit: 1_000 } } }),
  }))
  const definition = () =>
    definitions.isSuccess ? definitions.data.data.find(({ id }) => id === props.of.streak_definition_id) : undefined
  return (
    <Show when={definition()}>
      {(found) => (
        <Show
          when={found().freeze_enabled}
          fallback={
            <p>
              <strong>Freezes are off for this streak:</strong> they save nothing until they are turned on in{" "}
              <A href={project.href(`streaks/${found().id}`)}>its definition</A>.
            </p>
          }
        >
          <p>
            The user has {props.of.freezes_remaining} of at most {found().max_freezes}.
          </p>
        </Show>
      )}
    </Show>
  )
}

const GiveFreezes = (props: { readonly of: Streak }) => {
  const user = useUser()
  const give = async (form: FormData) => {
    await api.POST("/admin/projects/{projectId}/users/{userId}/streaks/{streakDefinitionId}/grant-shield", {
      params: { path: { ...user.path(), streakDefinitionId: props.of.streak_definition_id } },
      body: { count: readNumber(form, "count") ?? 1 },
    })
    await user.refresh()
  }
  return (
    <Confirm
      action="Give freezes"
      of={props.of.streak_definitions.name}
      says={`The user gets freezes for ${props.of.streak_definitions.name}, up to the most that it allows. Each keeps the streak over one period in which nothing is done; what is lost already stays lost.`}
      done="The freezes are given."
      run={give}
    >
      <FreezeNote of={props.of} />
      <Field name="count" label="How many" inputMode="numeric" required value="1" />
    </Confirm>
  )
}

/** The streaks, each with why it broke first, and its periods. */
const Streaks = () => {
  const user = useUser()
  const found = user.createUser()
  return (
    <Loaded of={found}>
      {(shown) => (
        <Index
          each={shown().data.streaks}
          fallback={<p class="quiet empty">This user has no streak: none of its events has happened yet.</p>}
        >
          {(streak) => (
            <section class="panel page" aria-label={streak().streak_definitions.name}>
              <header class="row">
                <h2>{streak().streak_definitions.name}</h2>
                <span class={`tag ${streak().status}`}>{streak().status}</span>
                <Show when={user.project.mayWrite()}>
                  <div class="row end">
                    <GiveFreezes of={streak()} />
                  </div>
                </Show>
              </header>
              <Why of={streak()} />
              <Facts
                of={[
                  ["Count", () => sayNumber(streak().current_count)],
                  ["Longest", () => sayNumber(streak().longest_count)],
                  ["Freezes left", () => streak().freezes_remaining],
                  ["Ends without an event", () => <Time at={streak().expires_at} />],
                  ["Counts", () => <code>{streak().streak_definitions.qualifying_event}</code>],
                ]}
              />
            </section>
          )}
        </Index>
      )}
    </Loaded>
  )
}

export default Streaks
