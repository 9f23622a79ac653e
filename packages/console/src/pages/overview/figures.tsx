import { A } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { ErrorNote } from "../../parts/error-note.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { useProject } from "../../shell/project.tsx"
import { type Range, toSpan } from "./range.ts"

// The service counts the events of so many days at once.
const mostEventDays = 90

// How often it is looked how much waits.
const lookMillis = 10_000

interface Figure {
  readonly name: string
  readonly value: () => number | undefined
  /** How it is written, where not as a number. */
  readonly write?: (value: number) => string
  /** The page of the list that it counts. */
  readonly page: string
}

const sum = (days: ReadonlyArray<{ readonly users: number }>) => days.reduce((total, { users }) => total + users, 0)

const units = [
  ["h", 3_600],
  ["min", 60],
] as const

/** So many seconds, in the largest unit that there is a whole one of. */
const writeSeconds = (seconds: number): string => {
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ["s", 1]
  return `${sayNumber(Math.floor(seconds / size))} ${unit}`
}

const FigureList = (props: { readonly of: ReadonlyArray<Figure> }) => {
  const project = useProject()
  return (
    <ul class="overview-figures">
      <For each={props.of}>
        {(figure) => (
          <li>
            <A href={project.href(figure.page)}>
              <strong>
                <Show when={figure.value() !== undefined} fallback="…">
                  {(figure.write ?? sayNumber)(figure.value() ?? 0)}
                </Show>
              </strong>{" "}
              <span>{figure.name}</span>
            </A>
          </li>
        )}
      </For>
    </ul>
  )
}

/** What waits for the reactions, and what they could not handle. */
const createWork = () => {
  const project = useProject()
  const waiting = createQuery(() => ({
    queryKey: ["background", project.id()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/background", { params: { path: project.path() }, signal }),
    refetchInterval: lookMillis,
  }))
  const dead = createQuery(() => ({
    queryKey: ["dead-letters", project.id(), "count"],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/background/dead", {
        params: { path: project.path(), query: { limit: 1 } },
        signal,
      }),
  }))
  const figures: ReadonlyArray<Figure> = [
    { name: "lag of the reactions", value: () => waiting.data?.data.lag_seconds, write: writeSeconds, page: "events" },
    { name: "waiting in the queue", value: () => waiting.data?.data.waiting, page: "events" },
    { name: "dead letters", value: () => dead.data?.total, page: "dead-letters" },
  ]
  return { figures, error: () => waiting.error ?? dead.error }
}

/** The figures of the project, each leading to what it counts. */
export const Figures = (props: { readonly range: Range; readonly overview: Schemas["Overview"] | undefined }) => {
  const project = useProject()
  const work = createWork()
  const eventDays = () => Math.min(props.range.days, mostEventDays)
  const events = createQuery(() => ({
    queryKey: ["overview", project.id(), "events", eventDays()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/events/count", {
        params: { path: project.path(), query: toSpan(eventDays()) },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  const campaigns = createQuery(() => ({
    queryKey: ["campaigns", project.id(), "count"],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/push/campaigns", {
        params: { path: project.path(), query: { limit: 1 } },
        signal,
      }),
  }))
  const today = () => new Date().toISOString().slice(0, 10)
  const figures: () => ReadonlyArray<Figure> = () => [
    {
      name: "active today",
      value: () => props.overview && (props.overview.dau.find(({ date }) => date === today())?.users ?? 0),
      page: "users",
    },
    { name: "active in 7 days", value: () => props.overview?.wau, page: "users" },
    { name: "active in 30 days", value: () => props.overview?.mau, page: "users" },
    {
      name: `new users, ${props.range.name}`,
      value: () => props.overview && sum(props.overview.new_users),
      page: "users",
    },
    {
      name: `events, ${eventDays() < props.range.days ? `${mostEventDays} days` : props.range.name}`,
      value: () => events.data?.data.total,
      page: "events",
    },
    { name: "campaigns", value: () => campaigns.data?.total, page: "campaigns" },
    ...work.figures,
  ]
  return (
    <>
      <FigureList of={figures()} />
      <ErrorNote error={events.error ?? campaigns.error ?? work.error()} />
    </>
  )
}
