import "./work.css"
import { A, useParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Facts } from "../../parts/values/facts.tsx"
import { JsonView } from "../../parts/values/json-view.tsx"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { useProject } from "../../shell/project.tsx"

type Entry = Schemas["InboxEntryWithPayload"]

/** What a status means, and what to do about it. */
const meanings: Readonly<Record<Entry["status"], string>> = {
  received: "It waits for its turn.",
  processed: "It was processed.",
  unresolved: "It names a user whom nobody knows yet. It is tried again once there is one, or when you replay it.",
  ignored: "Nothing had to be done.",
  failed: "It could not be processed. Mend the cause, then replay it.",
}

/** What the user may use now, of which this webhook is one cause. */
const Entitlements = (props: { readonly userId: string }) => {
  const project = useProject()
  const user = createQuery(() => ({
    queryKey: ["users", project.id(), "one", props.userId],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/users/{userId}", {
        params: { path: { ...project.path(), userId: props.userId } },
      }),
  }))
  return (
    <Loaded of={user}>
      {(found) => (
        <Show
          when={found().data.entitlements.length > 0}
          fallback={<p class="quiet">The user has no entitlement now.</p>}
        >
          <ul>
            <For each={found().data.entitlements}>
              {({ entitlement_id, is_active, expiration_date }) => (
                <li>
                  <strong>{entitlement_id}</strong> {is_active ? "is active" : "is not active"}
                  <Show when={expiration_date}>
                    , until <Time at={expiration_date} />
                  </Show>
                </li>
              )}
            </For>
          </ul>
        </Show>
      )}
    </Loaded>
  )
}

const Effects = (props: { readonly entry: Entry }) => (
  <section class="panel page">
    <h2>What it did</h2>
    <p>{props.entry.error ?? meanings[props.entry.status]}</p>
    <Show when={props.entry.status === "processed" && props.entry.app_user_id}>
      {(id) => (
        <Show
          when={props.entry.provider === "subscription"}
          fallback={
            <p>
              It is in the log of <UserLink id={id()} /> as an event
              {props.entry.event_type === null ? "" : ` paywall_${props.entry.event_type}`}.
            </p>
          }
        >
          <p>It was folded with all other events of the provider. What the user may use now:</p>
          <Entitlements userId={id()} />
        </Show>
      )}
    </Show>
  </section>
)

const Concerned = (props: { readonly entry: Entry }) => (
  <>
    <Show when={props.entry.app_user_id} fallback={<span class="quiet">nobody who is known</span>}>
      {(id) => <UserLink id={id()} />}
    </Show>
    <Show when={props.entry.provider_user_id}>
      {(id) => (
        <>
          {" "}
          <span class="quiet">named</span> <code>{id()}</code>
        </>
      )}
    </Show>
  </>
)

const WebhookFacts = (props: { readonly entry: Entry }) => (
  <Facts
    of={[
      ["Status", () => <span class={`tag ${props.entry.status}`}>{props.entry.status}</span>],
      ["Provider", () => props.entry.provider],
      ["Type", () => props.entry.event_type ?? "–"],
      ["User", () => <Concerned entry={props.entry} />],
      ["Provider's id", () => props.entry.provider_event_id ?? "–"],
      ["Received", () => <Time at={props.entry.received_at} />],
      ["Processed", () => <Time at={props.entry.processed_at} />],
    ]}
  />
)

/** A webhook: what came in, what it did, and the way to process it again. */
const Webhook = () => {
  const project = useProject()
  const params = useParams<{ readonly inboxId: string }>()
  const client = useQueryClient()
  const path = () => ({ ...project.path(), inboxId: params.inboxId })
  const key = () => ["webhooks", project.id(), "one", params.inboxId]
  const entry = createQuery(() => ({
    queryKey: key(),
    queryFn: () => api.GET("/admin/projects/{projectId}/webhooks/inbox/{inboxId}", { params: { path: path() } }),
  }))
  const replay = async () => {
    const answer = await api.POST("/admin/projects/{projectId}/webhooks/inbox/{inboxId}/replay", {
      params: { path: path() },
    })
    client.setQueryData(key(), answer)
    await Promise.all([
      client.invalidateQueries({ queryKey: ["webhooks", project.id()] }),
      client.invalidateQueries({ queryKey: ["users", project.id()] }),
    ])
  }
  return (
    <Page
      title="Webhook"
      actions={
        <Show when={project.mayWrite()}>
          <Confirm
            action="Replay"
            says="It is processed again, now. The result is the same, and nothing is done twice."
            done="It was processed again."
            run={replay}
          />
        </Show>
      }
    >
      <p>
        <A href={project.href("webhooks")}>All webhooks</A>
      </p>
      <Loaded of={entry}>
        {(found) => (
          <>
            <WebhookFacts entry={found().data} />
            <Effects entry={found().data} />
            <details open>
              <summary>What the provider has sent</summary>
              <JsonView value={found().data.payload} label="Payload" />
            </details>
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Webhook
