import "../content.css"
import { A, useParams } from "@solidjs/router"
import { createQuery, keepPreviousData, useQueryClient } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/confirm.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { Page } from "../../../parts/page.tsx"
import { Pager } from "../../../parts/pager.tsx"
import { Time } from "../../../parts/time.tsx"
import { useSlice } from "../../../parts/use-slice.ts"
import { UserLink } from "../../../parts/user-link.tsx"
import { useProject } from "../../../shell/project.tsx"

const MessageRow = (props: { readonly message: Schemas["AdminMessage"] }) => {
  const project = useProject()
  const client = useQueryClient()
  const remove = async () => {
    await api.DELETE("/admin/projects/{projectId}/messaging/messages/{messageId}", {
      params: { path: { ...project.path(), messageId: props.message.id } },
    })
    await Promise.all([
      client.invalidateQueries({ queryKey: ["messages", project.id()] }),
      client.invalidateQueries({ queryKey: ["conversations", project.id()] }),
    ])
  }
  return (
    <li>
      <div class="row">
        <Show when={props.message.sender} fallback={<span class="quiet">a user who is gone</span>}>
          {(sender) => <UserLink id={sender().id} name={sender().display_name} />}
        </Show>
        <span class="quiet small">
          <Time at={props.message.created_at} />
        </span>
        <Show when={props.message.moderation !== "shown"}>
          <span class="tag">{props.message.moderation}</span>
        </Show>
        <Show when={project.mayWrite()}>
          <div class="row end">
            <Confirm
              action="Remove"
              danger
              says="The message is gone for everybody, and nothing of it stays."
              done="The message is gone."
              run={remove}
            />
          </div>
        </Show>
      </div>
      <Show when={props.message.body !== null} fallback={<p class="quiet">Its sender has deleted it.</p>}>
        <p class="text">{props.message.body}</p>
      </Show>
    </li>
  )
}

/** The messages of a conversation, with what users do not see. */
const Conversation = () => {
  const project = useProject()
  const params = useParams<{ readonly conversationId: string }>()
  const { slice, turn } = useSlice()
  const messages = createQuery(() => ({
    queryKey: ["messages", project.id(), params.conversationId, slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/messaging/conversations/{conversationId}/messages", {
        params: { path: { ...project.path(), conversationId: params.conversationId }, query: slice() },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  return (
    <Page title="Conversation">
      <p>
        <A href={project.href("conversations")}>All conversations</A>
      </p>
      <p class="quiet">The newest message comes first. Messages that are held or rejected are seen here only.</p>
      <Loaded of={messages}>
        {(found) => (
          <>
            <Show when={found().data.length > 0} fallback={<p class="quiet empty">There is no message in it.</p>}>
              <ul class="talk" aria-label="Messages">
                <For each={found().data}>{(message) => <MessageRow message={message} />}</For>
              </ul>
            </Show>
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Conversation
