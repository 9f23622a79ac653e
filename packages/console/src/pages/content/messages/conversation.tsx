import "../content.css"
import { A, useParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { Page } from "../../../parts/page.tsx"
import { type CountedPage, createPages } from "../../../parts/tables/load-more.ts"
import { More } from "../../../parts/tables/more.tsx"
import { sayShort } from "../../../parts/values/say-short.ts"
import { sayTime, Time } from "../../../parts/values/time.tsx"
import { UserLink } from "../../../parts/values/user-link.tsx"
import { useProject } from "../../../shell/project.tsx"

type Message = Schemas["AdminMessage"]

const MessageRow = (props: { readonly message: Message }) => {
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
              of={sayShort(props.message.body ?? sayTime(props.message.created_at))}
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
  const messages = createPages<Message, CountedPage<Message>>(
    () => ["messages", project.id(), params.conversationId],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/messaging/conversations/{conversationId}/messages", {
        params: {
          path: { ...project.path(), conversationId: params.conversationId },
          query: { limit: 50, cursor },
        },
        signal,
      }),
  )
  return (
    <Page title="Conversation">
      <p>
        <A href={project.href("conversations")}>All conversations</A>
      </p>
      <p class="quiet">The newest message comes first. Messages that are held or rejected are seen here only.</p>
      <Loaded of={messages.query}>
        {() => (
          <>
            <Show when={messages.rows().length > 0} fallback={<p class="quiet empty">There is no message in it.</p>}>
              <ul class="talk" aria-label="Messages">
                <For each={messages.rows()}>{(message) => <MessageRow message={message} />}</For>
              </ul>
            </Show>
            <More of={messages.query} shown={messages.rows().length} total={messages.first()?.total} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Conversation
