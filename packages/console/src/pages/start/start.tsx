import { A } from "@solidjs/router"
import { Show } from "solid-js"
import { api } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { CodeBlock } from "../../parts/values/code-block.tsx"
import { useProject } from "../../shell/project.tsx"

// How often it is looked for the first event.
const lookMillis = 1_500
// What the platform writes about an event (XP, achievements) comes after it, and is listed before it.
const looked = 100

const codeFor = (key: string): string => `api=${location.origin}/v1
key=${key}

# An anonymous user signs in …
token=$(curl -s -X POST "$api/client/auth/anonymous" -H "X-Api-Key: $key" -H "Content-Type: application/json" -d '{}' |
  sed 's/.*"session_token":"\\([^"]*\\)".*/\\1/')

# … and does something.
curl -s "$api/client/events" -H "X-Api-Key: $key" -H "Authorization: Bearer $token" \\
  -H "Content-Type: application/json" -d '{"event_name":"lesson_completed"}'`

/** The first key, the code of the first event, and whether it has arrived. */
const Start = () => {
  const project = useProject()
  const keys = createQuery(() => ({
    queryKey: ["keys", project.id()],
    queryFn: () => api.GET("/admin/projects/{projectId}/api-keys", { params: { path: project.path() } }),
  }))
  const first = createQuery(() => ({
    queryKey: ["first-event", project.id()],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/events", {
        params: { path: project.path(), query: { limit: looked, since: "1970-01-01T00:00:00Z" } },
      }),
    refetchInterval: ({ state }) => (state.data?.data.length ? false : lookMillis),
  }))
  return (
    <Page title="Get started">
      <Loaded of={keys}>
        {(found) => (
          <>
            <p>
              Paste this into a shell. <code>key</code> is the project's client key: it is in every copy of your app,
              and no secret.
            </p>
            <CodeBlock label="The first event, in a shell" code={codeFor(found().data[0]?.key ?? "")} />
          </>
        )}
      </Loaded>
      <section class="panel" aria-live="polite">
        <Show
          when={first.data?.data.at(-1)}
          fallback={<p>No event has arrived yet. This page says when the first one does.</p>}
        >
          {(event) => (
            <p>
              {first.data?.next_cursor === null ? "The first event has arrived" : "Events arrive"}:{" "}
              <code>{event().event_name}</code> of <A href={project.href(`users/${event().app_user_id}`)}>this user</A>.
            </p>
          )}
        </Show>
      </section>
      <p>
        For apps there is <code>@hearth/client</code>; the <a href="/docs">reference</a> has every route.
      </p>
    </Page>
  )
}

export default Start
