import "./work.css"
import { A } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { ChoiceField } from "../../parts/field.tsx"
import { Page } from "../../parts/page.tsx"
import { ChoiceFilter, useChoice } from "../../parts/tables/choice-filter.tsx"
import { type CountedPage, createPages } from "../../parts/tables/load-more.ts"
import { PagesTable } from "../../parts/tables/pages-table.tsx"
import type { Columns } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { useProject } from "../../shell/project.tsx"
import { TaskName, taskNames } from "./task-name.tsx"

type Row = Schemas["DeadLetter"]

const statuses = ["retrying", "dead"] as const

/** Tries all letters again, or those of one reaction. */
const RetryAll = (props: { readonly total: number }) => {
  const project = useProject()
  const client = useQueryClient()
  const retry = async (form: FormData) => {
    const reaction = String(form.get("reaction") ?? "").trim()
    await api.POST("/admin/projects/{projectId}/background/dead/retry", {
      params: { path: project.path() },
      body: reaction === "" ? {} : { reaction },
    })
    await client.invalidateQueries({ queryKey: ["dead-letters", project.id()] })
  }
  return (
    <Confirm
      action="Retry all"
      says={`All of them (${sayNumber(props.total)} in this list), or those of one sort, are tried again in the order in which they failed. What fails again comes back here.`}
      done="They are tried again."
      run={retry}
    >
      <ChoiceField
        name="reaction"
        label="What failed"
        required
        choices={[
          { value: "", name: "All of it" },
          ...Object.entries(taskNames).map(([value, name]) => ({ value, name })),
        ]}
        value=""
      />
    </Confirm>
  )
}

/** What could not be handled in the background. */
const DeadLetters = () => {
  const project = useProject()
  const status = useChoice("status", statuses)
  const letters = createPages<Row, CountedPage<Row>>(
    () => ["dead-letters", project.id(), "list", status.query()],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/background/dead", {
        params: { path: project.path(), query: { limit: 50, cursor, ...status.query() } },
        signal,
      }),
    true,
    () => 10_000,
  )
  const total = () => letters.first()?.total ?? 0
  const columns: Columns<Row> = [
    {
      header: "Failed first",
      cell: ({ row }) => (
        <A href={project.href(`dead-letters/${row.original.id}`)}>
          <Time at={row.original.first_failed_at} />
        </A>
      ),
    },
    { header: "What failed", cell: ({ row }) => <TaskName of={row.original.reaction} /> },
    { header: "At", cell: ({ row }) => (row.original.event_id === null ? "work left over" : "an event") },
    {
      header: "Status",
      cell: ({ row }) => (
        <span class={`tag ${row.original.status}`}>
          {row.original.status}, {row.original.tries} tries
        </span>
      ),
    },
    {
      header: "Cause",
      cell: ({ row }) => (
        <span class="cause" title={row.original.error}>
          {row.original.error}
        </span>
      ),
    },
    {
      header: "User",
      cell: ({ row }) => (
        <Show when={row.original.app_user_id} fallback={<span class="quiet">–</span>}>
          {(id) => <UserLink id={id()} />}
        </Show>
      ),
    },
  ]
  return (
    <Page
      title="Dead letters"
      actions={
        <Show when={project.mayWrite() && total() > 0}>
          <RetryAll total={total()} />
        </Show>
      }
    >
      <p class="quiet">
        What fails is set aside alone, tried again after 1 s, 10 s, 1 min and 10 min, and is dead then: it waits here
        for you.
      </p>
      <div class="row">
        <ChoiceFilter label="Status" of={status} />
      </div>
      <PagesTable
        label="Dead letters"
        of={letters}
        columns={columns}
        empty={
          status.chosen() === undefined ? "Everything was handled: there is nothing to do." : "No letter is like that."
        }
      />
    </Page>
  )
}

export default DeadLetters
