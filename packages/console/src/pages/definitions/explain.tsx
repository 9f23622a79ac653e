import { A, useSearchParams } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Button } from "../../parts/button.tsx"
import { createQuery } from "../../parts/create-query.ts"
import { Field } from "../../parts/field.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { RuleText } from "../../parts/rules/rule-text.tsx"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const Found = (props: { readonly text: string; readonly onUser: (id: string) => void }) => {
  const project = useProject()
  const users = createQuery(() => ({
    queryKey: ["users", project.id(), "few", props.text],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/users", {
        params: { path: project.path(), query: { limit: 5, search: props.text } },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  return (
    <Loaded of={users}>
      {(found) => (
        <Show when={found().data.length > 0} fallback={<p class="quiet">No user is found.</p>}>
          <ul class="row">
            <For each={found().data}>
              {(user) => (
                <li>
                  <Button onClick={() => props.onUser(user.id)}>{user.display_name || user.email || user.id}</Button>
                </li>
              )}
            </For>
          </ul>
        </Show>
      )}
    </Loaded>
  )
}

const Explained = (props: { readonly segmentId: string; readonly userId: string }) => {
  const project = useProject()
  const explained = createQuery(() => ({
    queryKey: ["segments", project.id(), props.segmentId, "explain", props.userId],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/segments/{segmentId}/explain/{userId}", {
        params: { path: { ...project.path(), segmentId: props.segmentId, userId: props.userId } },
        signal,
      }),
  }))
  return (
    <Loaded of={explained}>
      {(found) => (
        <>
          <p>
            <strong>
              {found().data.matches ? "The rules describe this user" : "The rules do not describe this user"}
            </strong>
            {", as of now. "}
            {found().data.is_member ? "They are a member" : "They are no member"}
            {found().data.is_manual ? ", added by hand" : ""}, as last evaluated <Time at={found().data.evaluated_at} />
            . <A href={project.href(`users/${props.userId}`)}>To the user</A>
          </p>
          <RuleText node={found().data.tree} />
        </>
      )}
    </Loaded>
  )
}

/** Why a user is in the segment or not, rule by rule. Whom it is asked about is in the address. */
export const Explain = (props: { readonly row: Schemas["Segment"] }) => {
  const [search, setSearch] = useSearchParams<{ user?: string }>()
  const asked = () => (search.user ?? "").trim()
  return (
    <section class="panel" aria-label="Why a user is in it, or not">
      <h2>Why is a user in it, or not?</h2>
      <Field
        label="User"
        required
        type="search"
        hint="An id, an email or a name."
        value={search.user ?? ""}
        onInput={(event) => setSearch({ user: event.currentTarget.value || null }, { replace: true })}
      />
      <Show when={asked() !== ""}>
        <Show
          when={uuidPattern.test(asked())}
          fallback={<Found text={asked()} onUser={(user) => setSearch({ user }, { replace: true })} />}
        >
          <Explained segmentId={props.row.id} userId={asked()} />
        </Show>
      </Show>
    </section>
  )
}
