import "./work.css"
import { A, useSearchParams } from "@solidjs/router"
import { createEffect, createMemo, createSignal, For, type JSX, on, onCleanup, onMount, Show } from "solid-js"
import { api } from "../../api.ts"
import { Button } from "../../parts/button.tsx"
import { createQuery } from "../../parts/create-query.ts"
import { say } from "../../parts/dialogs/toasts.tsx"
import { ErrorNote } from "../../parts/error-note.tsx"
import { Page } from "../../parts/page.tsx"
import { Filter } from "../../parts/tables/filter.tsx"
import { useProject } from "../../shell/project.tsx"
import { ModerationItem, typeNames } from "./moderation-item.tsx"
import { ModerationKeys } from "./moderation-keys.tsx"
import { type Decision, makeQueue, type Queue } from "./moderation-queue.ts"

const statuses = ["pending", "escalated", "approved", "rejected"] as const
const types = ["content_item", "message", "review", "group", "user"] as const

/** Whether somebody is typing, or in a dialog: then a letter is a letter. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog]") !== null

const decisions: ReadonlyArray<readonly [Decision, string]> = [
  ["approve", "Approve"],
  ["reject", "Reject"],
  ["escalate", "Escalate"],
]

const Actions = (props: { readonly queue: Queue; readonly onKeys: () => void }) => {
  const current = () => props.queue.entries.find(({ item }) => item.id === props.queue.currentId())
  const mayDecide = (decision: Decision) => {
    const entry = current()
    if (entry === undefined || !props.queue.canDecide(entry)) return false
    return decision !== "escalate" || entry.item.status === "pending"
  }
  return (
    <section class="row queue-actions" aria-label="The current item">
      <For each={decisions}>
        {([decision, name]) => (
          <Button
            kind={decision === "reject" ? "danger" : "plain"}
            disabled={!mayDecide(decision)}
            aria-keyshortcuts={decision[0]}
            onClick={() => props.queue.decide(decision)}
          >
            {name} <kbd>{decision[0]}</kbd>
          </Button>
        )}
      </For>
      <Button disabled={props.queue.waiting() === 0} aria-keyshortcuts="u" onClick={() => props.queue.undo()}>
        Undo <kbd>u</kbd>
      </Button>
      <span class="gap" />
      <Button onClick={() => props.onKeys()}>
        Keys <kbd>?</kbd>
      </Button>
    </section>
  )
}

const Items = (props: { readonly queue: Queue; readonly empty: JSX.Element }) => {
  const project = useProject()
  const rules = createQuery(() => ({
    queryKey: ["moderation-rules", project.id(), "all"],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/moderation/rules", {
        params: { path: project.path(), query: { limit: 1_000 } },
      }),
    staleTime: 60_000,
  }))
  // Who goes through the list by keyboard hears and sees where they are.
  createEffect(
    on(
      props.queue.currentId,
      (id) => {
        const line = id === null ? null : document.getElementById(`item-${id}`)
        line?.focus({ preventScroll: true })
        line?.parentElement?.scrollIntoView({ block: "nearest" })
      },
      { defer: true },
    ),
  )
  return (
    <Show
      when={props.queue.entries.length > 0}
      fallback={
        <Show when={props.queue.isComplete()} fallback={<p class="quiet">Loading …</p>}>
          <p class="quiet empty">{props.empty}</p>
        </Show>
      }
    >
      <ol class="queue" aria-label="Queue">
        <For each={props.queue.entries}>
          {(entry) => (
            <ModerationItem
              entry={entry}
              isCurrent={entry.item.id === props.queue.currentId()}
              rules={rules.isSuccess ? rules.data.data : []}
              onSelect={() => props.queue.select(entry.item.id)}
            />
          )}
        </For>
      </ol>
    </Show>
  )
}

/** What waits for moderators, worked through by keyboard or by buttons. */
const Moderation = () => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ status?: string; type?: string }>()
  const [showsKeys, setShowsKeys] = createSignal(false)
  const status = () => statuses.find((one) => one === search.status) ?? "pending"
  const type = () => types.find((one) => one === search.type) ?? null
  const view = createMemo(() => ({ projectId: project.id(), status: status(), type: type() }))
  // What the queue itself reads makes no other queue of it.
  const queue = createMemo(on(view, makeQueue))
  const isOpenList = () => status() === "pending" || status() === "escalated"

  const undo = () => {
    if (!queue().undo()) say("There is nothing to take back.")
  }
  const actions: Readonly<Record<string, () => void>> = {
    j: () => queue().step(1),
    k: () => queue().step(-1),
    "?": () => setShowsKeys(true),
  }
  const writes: Readonly<Record<string, () => void>> = {
    a: () => queue().decide("approve"),
    r: () => queue().decide("reject"),
    e: () => queue().decide("escalate"),
    u: undo,
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target) || showsKeys()) return
    const action = actions[event.key] ?? (project.mayWrite() ? writes[event.key] : undefined)
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  onMount(() => document.addEventListener("keydown", press))
  onCleanup(() => document.removeEventListener("keydown", press))

  return (
    <Page title="Moderation">
      <div class="row">
        <Filter
          label="Status"
          choices={statuses.map((one) => [one, one])}
          value={status()}
          onChange={(one) => setSearch({ status: one === "pending" ? null : one })}
        />
        <Filter
          label="Type"
          choices={[["", "all"], ...types.map((one) => [one, typeNames[one]] as const)]}
          value={type() ?? ""}
          onChange={(one) => setSearch({ type: one || null })}
        />
        <span class="quiet" role="status">
          {queue().total() ?? "…"} {status()}
          {queue().waiting() > 0 ? `, ${queue().waiting()} can be taken back` : ""}
        </span>
      </div>
      <Show when={project.mayWrite() && isOpenList()}>
        <Actions queue={queue()} onKeys={() => setShowsKeys(true)} />
      </Show>
      <Show when={queue().error()}>
        <ErrorNote error={queue().error()} />
        <Button onClick={() => queue().retry()}>Try again</Button>
      </Show>
      <Show when={queue()} keyed>
        {(now) => (
          <Items
            queue={now}
            empty={
              <Show when={isOpenList()} fallback="There is nothing here.">
                Nothing waits for you: what users report, and what a rule finds, comes in here.{" "}
                <A href={project.href("moderation-rules")}>To the rules</A>
              </Show>
            }
          />
        )}
      </Show>
      <ModerationKeys isOpen={showsKeys()} onClose={() => setShowsKeys(false)} />
    </Page>
  )
}

export default Moderation
