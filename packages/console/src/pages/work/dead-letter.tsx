import "./work.css"
import { A, useNavigate, useParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Facts } from "../../parts/values/facts.tsx"
import { JsonView } from "../../parts/values/json-view.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { useProject } from "../../shell/project.tsx"
import { TaskName } from "./task-name.tsx"

type Letter = Schemas["DeadLetterContent"]

const Failed = (props: { readonly letter: Letter }) => (
  <Show when={props.letter.event} fallback="work that was left for later: its payload is below">
    {(event) => (
      <>
        the event <code>{event().event_name}</code> of <Time at={event().occurred_at} />
      </>
    )}
  </Show>
)

const LetterFacts = (props: { readonly letter: Letter }) => {
  return (
    <Facts
      of={[
        [
          "Status",
          () => (
            <>
              <span class={`tag ${props.letter.status}`}>{props.letter.status}</span>{" "}
              {props.letter.status === "dead" ? "It is not tried again by itself." : "It is tried again by itself."}
            </>
          ),
        ],
        ["What failed", () => <TaskName of={props.letter.reaction} />],
        ["At", () => <Failed letter={props.letter} />],
        [
          "User",
          () => (
            <Show when={props.letter.app_user_id} fallback={<span class="quiet">none</span>}>
              {(id) => <UserLink id={id()} />}
            </Show>
          ),
        ],
        ["Tries", () => sayNumber(props.letter.tries)],
        ["Failed first", () => <Time at={props.letter.first_failed_at} />],
        ["Next try", () => <Time at={props.letter.next_try_at} />],
      ]}
    />
  )
}

/** A dead letter: what could not be handled, why, and another try. */
const DeadLetter = () => {
  const project = useProject()
  const params = useParams<{ readonly letterId: string }>()
  const client = useQueryClient()
  const navigate = useNavigate()
  const path = () => ({ ...project.path(), id: params.letterId })
  const letter = createQuery(() => ({
    queryKey: ["dead-letters", project.id(), "one", params.letterId],
    queryFn: () => api.GET("/admin/projects/{projectId}/background/dead/{id}", { params: { path: path() } }),
  }))
  const leave = async () => {
    navigate(project.href("dead-letters"))
    await client.invalidateQueries({ queryKey: ["dead-letters", project.id()], refetchType: "active" })
  }
  const retry = async () => {
    await api.POST("/admin/projects/{projectId}/background/dead/{id}/retry", { params: { path: path() } })
    await leave()
  }
  const remove = async () => {
    await api.DELETE("/admin/projects/{projectId}/background/dead/{id}", { params: { path: path() } })
    await leave()
  }
  return (
    <Page
      title="Dead letter"
      actions={
        <Show when={project.mayWrite()}>
          <Confirm
            action="Retry"
            says="It is tried again at once. If it fails again, it comes back."
            done="It is tried again."
            run={retry}
          />
          <Confirm
            action="Remove"
            danger
            says="It is given up: what it would have done is not done, and cannot be done later."
            done="It was removed."
            run={remove}
          />
        </Show>
      }
    >
      <p>
        <A href={project.href("dead-letters")}>All dead letters</A>
      </p>
      <Loaded of={letter}>
        {(found) => (
          <>
            <section class="panel page">
              <h2>Why it failed</h2>
              <p class="text">{found().data.error}</p>
            </section>
            <LetterFacts letter={found().data} />
            <details open>
              <summary>{found().data.event === null ? "Payload" : "The event"}</summary>
              <JsonView value={found().data.event ?? found().data.payload} label="Payload" />
            </details>
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default DeadLetter
