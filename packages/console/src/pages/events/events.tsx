import { A } from "@solidjs/router"
import "./events.css"
import { useQueryClient } from "@tanstack/solid-query"
import { createMemo, For, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { downSince } from "../../connection.ts"
import { ErrorNote } from "../../parts/error-note.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { createPages } from "../../parts/tables/load-more.ts"
import { More } from "../../parts/tables/more.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { useProject } from "../../shell/project.tsx"
import { EventRow } from "./event-row.tsx"
import { EventsFilter, useEventFilter } from "./events-filter.tsx"
import { createLiveFeed, type LiveFeed } from "./live-feed.ts"
import { LiveCounts, LiveState } from "./live-status.tsx"
import { eventRow, type Row } from "./rows.ts"

const limit = 50

/** The events that are stored, without those that are shown above them. */
const createStored = (shown: () => ReadonlyArray<Row>) => {
  const project = useProject()
  const client = useQueryClient()
  const filter = useEventFilter()
  const key = () => ["events", project.id(), filter.name(), filter.user()]
  const pages = createPages<Schemas["EngagementEvent"]>(key, (cursor, signal) =>
    api.GET("/admin/projects/{projectId}/events", {
      params: {
        path: project.path(),
        query: {
          ...{ limit, since: "1970-01-01T00:00:00Z", ...filter.query() },
          ...(cursor === undefined ? {} : { cursor }),
        },
      },
      signal,
    }),
  )
  const rows = createMemo<ReadonlyArray<Row>>((before) => {
    const ids = new Set(shown().map(({ id }) => id))
    // A line that was there stays the same one: what somebody has opened stays open.
    const known = new Map(before.map((row) => [row.id, row]))
    return pages
      .rows()
      .filter(({ id }) => !ids.has(id))
      .map((event) => known.get(event.id) ?? eventRow(event))
  }, [])
  return { query: pages.query, rows, refresh: () => client.invalidateQueries({ queryKey: key() }) }
}

const NewRows = (props: { readonly feed: LiveFeed }) => (
  <section class="page live-section" aria-label="New events">
    <h2>Since you came</h2>
    <Show
      when={props.feed.rows().length > 0}
      fallback={<p class="quiet">Nothing yet. What happens is shown here at once.</p>}
    >
      <ol class="event-rows">
        <For each={props.feed.rows()}>{(row) => <EventRow of={row} onOpen={props.feed.pause} />}</For>
      </ol>
    </Show>
    <Show when={props.feed.leftOut() > 0}>
      <p class="quiet small">
        There is more than can be read: {sayNumber(props.feed.leftOut())} of it were counted and not shown here.
      </p>
    </Show>
  </section>
)

const NoEvents = (props: { readonly isNarrowed: boolean }) => {
  const project = useProject()
  return (
    <p class="quiet">
      <Show when={!props.isNarrowed} fallback="No such event is stored.">
        What users of your app do is stored here. <A href={project.href("start")}>Get started</A> has the code for the
        first event.
      </Show>
    </p>
  )
}

/** What happens in the project, as it happens, and what happened before. */
const Events = () => {
  const project = useProject()
  const filter = useEventFilter()
  const asked = createMemo(() => ({ projectId: project.id(), ...filter.query() }), undefined, {
    equals: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  })
  const feed = createLiveFeed(asked, () => void stored.refresh())
  const stored = createStored(feed.rows)
  const names = createMemo(() =>
    [...new Set([...feed.names(), ...stored.rows().map(({ name }) => name)])].slice(0, 200),
  )
  return (
    <Page title="Events" actions={<LiveState feed={feed} />}>
      <EventsFilter names={names()} />
      <ErrorNote error={downSince() === null ? feed.error() : null} />
      {/* Who may not listen may not read: the same fault is said once. */}
      <Show when={feed.state() !== "over"}>
        <LiveCounts feed={feed} />
        <NewRows feed={feed} />
        <section class="page live-section" aria-label="Events before">
          <h2>Before</h2>
          <Loaded of={stored.query}>
            {() => (
              <>
                <Show
                  when={stored.rows().length > 0}
                  fallback={<NoEvents isNarrowed={Object.keys(filter.query()).length > 0} />}
                >
                  <ol class="event-rows">
                    <For each={stored.rows()}>{(row) => <EventRow of={row} />}</For>
                  </ol>
                </Show>
                <More of={stored.query} />
              </>
            )}
          </Loaded>
        </section>
      </Show>
    </Page>
  )
}

export default Events
