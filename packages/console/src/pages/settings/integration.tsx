import { A, useNavigate, useParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import type { Values } from "../../parts/editor/merge.ts"
import { Singleton } from "../../parts/editor/singleton.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Facts } from "../../parts/values/facts.tsx"
import { Time } from "../../parts/values/time.tsx"
import { NotFound } from "../../shell/not-found.tsx"
import { useProject } from "../../shell/project.tsx"
import { PushTest } from "../work/push-test.tsx"
import { queryIntegrations, readIntegrations } from "./integrations-query.ts"
import { findProvider, type ProviderId, stateOf } from "./providers.tsx"
import { WebhookIntake } from "./webhook-intake.tsx"

type Provider = NonNullable<ReturnType<typeof findProvider>>

const prefix = "config."
const defaults: Values = { "config.signature_scheme": "hex", "config.environment": "production" }

/** What the form shows: whether there is a secret in its place, and what a new one begins with. */
const readFlat = async (provider: Provider, projectId: string): Promise<Values> => {
  const found = (await readIntegrations({ projectId })).find((each) => each.provider === provider.id)
  const config = Object.entries(found?.config ?? {}).map(([name, value]) => [prefix + name, value])
  return {
    ...defaults,
    ...Object.fromEntries(config),
    is_active: found?.is_active ?? true,
    [prefix + provider.secret]: found?.has_secret ?? false,
  }
}

/** What of it has changed, as the service takes it. */
const bodyOf = (changes: Values) => {
  const config = Object.entries(changes).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
  )
  const { is_active } = changes
  return {
    ...(typeof is_active === "boolean" ? { is_active } : {}),
    ...(config.length > 0 ? { config: Object.fromEntries(config) } : {}),
  }
}

const State = (props: { readonly provider: Provider }) => {
  const project = useProject()
  const found = createQuery(() => queryIntegrations(project.path()))
  const own = () => found.data?.find(({ provider }) => provider === props.provider.id)
  return (
    <Loaded of={found}>
      {() => (
        <Facts
          of={[
            ["State", () => stateOf(own())],
            ["Secret", () => (own()?.has_secret === true ? "is set" : "not set")],
            ["Changed", () => <Time at={own()?.updated_at} />],
            ...(props.provider.id === "push_b"
              ? [["Service account", () => String(accountOf(own()?.config) ?? "–")] as const]
              : []),
          ]}
        />
      )}
    </Loaded>
  )
}

/** Whose service account it is. */
const accountOf = (config: Values | undefined): unknown =>
  (config?.["service_account"] as { readonly client_email?: unknown } | null | undefined)?.client_email

const Remove = (props: { readonly provider: Provider }) => {
  const project = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  const found = createQuery(() => queryIntegrations(project.path()))
  const remove = async (provider: ProviderId) => {
    const path = { ...project.path(), provider }
    await api.DELETE("/admin/projects/{projectId}/integrations/{provider}", { params: { path } })
    navigate(project.href("integrations"))
    client.removeQueries({ queryKey: [`integrations/${provider}`, project.id()] })
    await client.invalidateQueries({ queryKey: ["integrations", project.id()] })
  }
  const isSet = () => found.data?.some(({ provider }) => provider === props.provider.id) === true
  return (
    <Show when={project.mayWrite() && isSet()}>
      <Confirm
        action="Remove"
        danger
        says={`${props.provider.title} is removed with its secret and settings: ${
          props.provider.id.startsWith("push")
            ? "pushes of this provider are not sent any more."
            : "webhooks of this provider are refused from now on."
        }`}
        done="Removed."
        run={() => remove(props.provider.id)}
      />
    </Show>
  )
}

const One = (props: { readonly provider: Provider }) => {
  const project = useProject()
  const client = useQueryClient()
  const { id, title, about, steps, fields } = props.provider
  return (
    <Page title={title} actions={<Remove provider={props.provider} />}>
      <p class="quiet">{about}</p>
      <State provider={props.provider} />
      <p>{steps}</p>
      <Show when={id === "subscription" || id === "paywall" ? id : false}>
        {(provider) => <WebhookIntake provider={provider()} />}
      </Show>
      <Singleton<Values, Values>
        sort={`integrations/${id}`}
        title="Settings"
        about="What is saved counts at once, in other processes of the service within a second."
        fields={fields}
        read={({ projectId }) => readFlat(props.provider, projectId)}
        replace={async (path, _, changes) => {
          const params = { path: { ...path, provider: id } }
          await api.PUT("/admin/projects/{projectId}/integrations/{provider}", { params, body: bodyOf(changes) })
          await client.invalidateQueries({ queryKey: ["integrations", project.id()] })
          return readFlat(props.provider, path.projectId)
        }}
      />
      <Show when={project.mayWrite() && (id === "push_a" || id === "push_b") ? id : false}>
        {(provider) => (
          <PushTest provider={provider()} message={() => ({ title: "Test", body: "Pushes of this project arrive." })} />
        )}
      </Show>
    </Page>
  )
}

/** One integration: its state, its settings, and a test. */
const Integration = () => {
  const params = useParams<{ readonly provider: string }>()
  const project = useProject()
  return (
    <>
      <p class="quiet small place">
        <A href={project.href("integrations")}>Integrations</A>
      </p>
      <Show when={findProvider(params.provider)} keyed fallback={<NotFound />}>
        {(provider) => <One provider={provider} />}
      </Show>
    </>
  )
}

export default Integration
