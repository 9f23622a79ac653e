import { A } from "@solidjs/router"
import { createSignal, For, Show } from "solid-js"
import { Facts } from "../../parts/values/facts.tsx"
import { JsonView } from "../../parts/values/json-view.tsx"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { useProject } from "../../shell/project.tsx"
import type { Row } from "./rows.ts"

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" })
const withDay = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" })

const dayMillis = 86_400_000

const writeTime = (at: Date): string =>
  (Math.abs(Date.now() - at.getTime()) < dayMillis / 2 ? clock : withDay).format(at)

const Details = (props: { readonly of: Row }) => {
  const project = useProject()
  const only = (name: string, value: string) => `${project.href("events")}?${name}=${encodeURIComponent(value)}`
  // The end of an id tells one from another where several are open.
  const ofThis = () => ` of ${props.of.name} ${props.of.id.slice(-8)}`
  const label = () => `${props.of.sort === "event" ? "Properties" : "All fields"}${ofThis()}`
  return (
    <div class="event-details">
      <Facts
        of={[
          ["At", () => <Time at={props.of.at} />],
          [
            "User",
            () => (
              <Show when={props.of.userId} fallback={<span class="quiet">none</span>}>
                {(id) => <UserLink id={id()} />}
              </Show>
            ),
          ],
          [
            "Look at",
            () => (
              <span class="row">
                <For each={props.of.pages}>
                  {({ path, name }) => (
                    <A href={project.href(path)}>
                      {name}
                      <span class="unseen">{ofThis()}</span>
                    </A>
                  )}
                </For>
                <Show when={props.of.sort === "event"}>
                  <A href={only("event_name", props.of.name)}>
                    only events of this name<span class="unseen">{ofThis()}</span>
                  </A>
                </Show>
                <Show when={props.of.userId}>
                  {(id) => (
                    <A href={only("user_id", id())}>
                      only this user<span class="unseen">{ofThis()}</span>
                    </A>
                  )}
                </Show>
              </span>
            ),
          ],
        ]}
      />
      <Show when={Object.keys(props.of.content).length > 0} fallback={<p class="quiet">It has no properties.</p>}>
        <JsonView value={props.of.content} label={label()} />
      </Show>
    </div>
  )
}

/** A line that opens what is behind it. `onOpen` is told when somebody opens it. */
export const EventRow = (props: { readonly of: Row; readonly onOpen?: () => void }) => {
  const [isOpen, setIsOpen] = createSignal(false)
  const toggle = (opened: boolean) => {
    setIsOpen(opened)
    if (opened) props.onOpen?.()
  }
  return (
    <li class="event-row">
      <details onToggle={(event) => toggle(event.currentTarget.open)}>
        <summary>
          <Time at={props.of.at} write={writeTime} />
          <span class={`tag ${props.of.sort.replace(" ", "-")}`}>{props.of.sort}</span>
          <code>{props.of.name}</code>
          <span class="event-says">{props.of.says}</span>
          {/* Ids begin with the time of their making: their ends tell them apart. */}
          <span class="quiet small">{props.of.userId === null ? "" : `user …${props.of.userId.slice(-8)}`}</span>
        </summary>
        <Show when={isOpen()}>
          <Details of={props.of} />
        </Show>
      </details>
    </li>
  )
}
