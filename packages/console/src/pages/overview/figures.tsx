import { A } from "@solidjs/router"
import { createQuery, keepPreviousData } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { ErrorNote } from "../../parts/error-note.tsx"
import { useProject } from "../../shell/project.tsx"
import { type Range, toSpan } from "./range.ts"

const count = new Intl.NumberFormat()

// The service counts the events of so many days at once.
const mostEventDays = 90

interface Figure {
  readonly name: string
  readonly value: () => number | undefined
  /** The page of the list that it counts. */
  readonly page: string
}

const sum = (days: ReadonlyArray<{ readonly users: number }>) => days.reduce((total, { users }) => total + users, 0)

/** The figures of the project, each leading to what it counts. */
export const Figures = (props: { readonly range: Range; readonly overview: Schemas["Overview"] | undefined }) => {
  const project = useProject()
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
  const dead = createQuery(() => ({
    queryKey: ["dead-letters", project.id(), "count"],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/background/dead", {
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
      page: "exports",
    },
    { name: "campaigns", value: () => campaigns.data?.total, page: "campaigns" },
    { name: "dead letters", value: () => dead.data?.total, page: "dead-letters" },
  ]
  return (
    <>
      <ul class="overview-figures">
        <For each={figures()}>
          {(figure) => (
            <li>
              <A href={project.href(figure.page)}>
                <strong>
                  <Show when={figure.value() !== undefined} fallback="…">
                    {count.format(figure.value() ?? 0)}
                  </Show>
                </strong>{" "}
                <span>{figure.name}</span>
              </A>
            </li>
          )}
        </For>
      </ul>
      <ErrorNote error={events.error ?? campaigns.error ?? dead.error} />
    </>
  )
}
