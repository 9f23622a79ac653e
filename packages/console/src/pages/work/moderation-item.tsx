import { For, Show } from "solid-js"
import type { Schemas } from "../../api.ts"
import { ErrorNote } from "../../parts/error-note.tsx"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import type { QueueEntry } from "./moderation-queue.ts"
import { statusAfter } from "./moderation-queue.ts"

type Rule = Schemas["ModerationRule"]

/** What each type of content is called. */
export const typeNames = {
  content_item: "Content item",
  message: "Message",
  review: "Review",
  group: "Group",
  user: "User",
} as const

const toList = (value: unknown): string => (Array.isArray(value) ? value.slice(0, 12).join(", ") : "")

/** What a rule looks for, in a line. */
const describe = ({ config }: Rule): string =>
  [
    toList(config["keywords"]),
    typeof config["pattern"] === "string" ? config["pattern"] : "",
    toList(config["allow_domains"]) && `allows ${toList(config["allow_domains"])}`,
    toList(config["deny_domains"]) && `denies ${toList(config["deny_domains"])}`,
  ]
    .filter((part) => part !== "")
    .join("; ")

/** Why an item is in the queue: the rule that matched, and what users have reported. */
const Causes = (props: { readonly item: QueueEntry["item"]; readonly rules: ReadonlyArray<Rule> }) => {
  const rule = () => props.rules.find(({ id }) => id === props.item.rule_id)
  return (
    <>
      <dt>Why</dt>
      <dd>
        <Show
          when={rule()}
          fallback={
            props.item.reason === "reported"
              ? "Users have reported it."
              : `A rule (${props.item.reason}) that is not there any more has matched.`
          }
        >
          {(found) => (
            <>
              The rule <strong>{found().name}</strong> ({found().rule_type}: {describe(found()) || "every link"})
              matches.
            </>
          )}
        </Show>
      </dd>
      <Show when={props.item.report_count > 0}>
        <dt>{props.item.report_count === 1 ? "1 report" : `${props.item.report_count} reports`}</dt>
        <dd>
          <ul>
            <For each={props.item.report_reasons}>{(reason) => <li>{reason}</li>}</For>
          </ul>
        </dd>
      </Show>
    </>
  )
}

/** What has become of an item, in words. */
const Outcome = (props: { readonly entry: QueueEntry }) => {
  const decided = () => {
    const { decision } = props.entry
    return decision === null ? "" : statusAfter(decision)
  }
  return (
    <>
      <Show when={props.entry.state === "waiting" || props.entry.state === "sending"}>
        <span class="tag waiting">will be {decided()}</span>
      </Show>
      <Show when={props.entry.state === "done" || props.entry.item.status !== "pending"}>
        <span class="tag">{props.entry.item.status}</span>
      </Show>
      <Show when={props.entry.state === "gone"}>
        <span class="quiet">{props.entry.note}</span>
      </Show>
    </>
  )
}

interface ItemProps {
  readonly entry: QueueEntry
  readonly isCurrent: boolean
  readonly rules: ReadonlyArray<Rule>
  readonly onSelect: () => void
}

/** An item of the queue: a line of its text, and all about it while it is the current one. */
export const ModerationItem = (props: ItemProps) => {
  const isOver = () => props.entry.state === "done" || props.entry.state === "gone"
  return (
    <li classList={{ "queue-item": true, current: props.isCurrent, over: isOver() }}>
      <button
        type="button"
        class="queue-line"
        aria-current={props.isCurrent ? "true" : undefined}
        id={`item-${props.entry.item.id}`}
        onClick={() => props.onSelect()}
      >
        <span class="tag">{typeNames[props.entry.item.content_type]}</span>
        <span class="queue-text">{props.entry.item.excerpt || "(no text)"}</span>
        <Outcome entry={props.entry} />
      </button>
      <Show when={props.isCurrent}>
        <dl class="queue-facts">
          <dt>Author</dt>
          <dd>
            <Show when={props.entry.item.app_user_id} fallback={<span class="quiet">gone</span>}>
              {(id) => <UserLink id={id()} />}
            </Show>
          </dd>
          <Causes item={props.entry.item} rules={props.rules} />
          <dt>Queued</dt>
          <dd>
            <Time at={props.entry.item.created_at} />
          </dd>
          <Show when={props.entry.item.resolved_at}>
            {(at) => (
              <>
                <dt>Decided</dt>
                <dd>
                  <Time at={at()} />
                </dd>
              </>
            )}
          </Show>
        </dl>
      </Show>
      <Show when={props.entry.state === "failed"}>
        <ErrorNote error={props.entry.error} />
      </Show>
    </li>
  )
}
