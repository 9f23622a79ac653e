import { A } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { createSignal, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Button } from "../../parts/button.tsx"
import { createQuery } from "../../parts/create-query.ts"
import { ErrorNote } from "../../parts/error-note.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { CodeBlock } from "../../parts/values/code-block.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"

type Provider = Schemas["InboxEntry"]["provider"]

// How often it is looked for the last webhook: somebody has just pressed a button at the provider.
const lookMillis = 5_000

const LastDelivery = (props: { readonly provider: Provider }) => {
  const project = useProject()
  const query = () => ({ provider: props.provider, limit: 1 })
  const inbox = createQuery(() => ({
    queryKey: ["webhooks", project.id(), query()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/webhooks/inbox", {
        params: { path: project.path(), query: query() },
        signal,
      }),
    refetchInterval: lookMillis,
  }))
  return (
    <Loaded of={inbox}>
      {(found) => (
        <p aria-live="polite">
          Last webhook:{" "}
          <Show when={found().data[0]} fallback="none has come yet.">
            {(entry) => (
              <>
                <A href={project.href(`webhooks/${entry().id}`)}>
                  <Time at={entry().received_at} />
                </A>
                , {entry().event_type ?? "without a type"},{" "}
                <span class={`tag ${entry().status}`}>{entry().status}</span>
                <Show when={entry().error}>{(error) => <> {error()}</>}</Show>
              </>
            )}
          </Show>{" "}
          <A href={project.href(`webhooks?provider=${props.provider}`)}>All {sayNumber(found().total)}</A>
        </p>
      )}
    </Loaded>
  )
}

/** Sends the service a webhook of its own, and says what came of it. */
const Test = (props: { readonly provider: Provider }) => {
  const project = useProject()
  const client = useQueryClient()
  const [tested, setTested] = createSignal<Schemas["WebhookTested"] | null>(null)
  const [error, setError] = createSignal<unknown>(null)
  const [isBusy, setIsBusy] = createSignal(false)
  const send = async () => {
    setIsBusy(true)
    setError(null)
    setTested(null)
    try {
      const path = { ...project.path(), provider: props.provider }
      const { data } = await api.POST("/admin/projects/{projectId}/integrations/{provider}/test", { params: { path } })
      setTested(data)
      await client.invalidateQueries({ queryKey: ["webhooks", project.id()] })
    } catch (problem) {
      setError(problem)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <div class="row">
        <Button busy={isBusy()} onClick={() => void send()}>
          Take in a test
        </Button>
        <span class="quiet small">
          A webhook of the service's own, with the stored secret. It names no user, and changes nothing but the inbox.
        </span>
      </div>
      <ErrorNote error={error()} />
      <p role="status">
        <Show when={tested()}>
          {(found) => (
            <>
              The service has taken it in as <code>{found().provider_event_id}</code>: secret and settings do. Whether
              the provider finds the way here, a test of the provider tells.
            </>
          )}
        </Show>
      </p>
    </>
  )
}

/** Where webhooks of a provider come in, the last one, and a test. */
export const WebhookIntake = (props: { readonly provider: Provider }) => {
  const project = useProject()
  return (
    <section class="panel page" aria-label="Webhooks">
      <h2>Webhooks</h2>
      <CodeBlock
        label="Webhook URL"
        code={`${location.origin}/v1/webhooks/${props.provider}?project_id=${project.id()}`}
      />
      <p class="quiet small">The address as you have opened it: the provider must reach it from the internet.</p>
      <LastDelivery provider={props.provider} />
      <Show when={project.mayWrite()}>
        <Test provider={props.provider} />
      </Show>
    </section>
  )
}
