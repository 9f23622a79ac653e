import "./refused-calls.css"
import { useSearchParams } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { For } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Button } from "../../parts/button.tsx"
import { createQuery } from "../../parts/create-query.ts"
import { Field } from "../../parts/field.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Filter } from "../../parts/tables/filter.tsx"
import { Pager } from "../../parts/tables/pager.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { useSlice } from "../../parts/tables/use-slice.ts"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"

type Row = Schemas["RefusedCall"]

const callers = {
  app: "an app",
  developer: "a developer",
  unknown: "nobody known",
} as const satisfies Record<Row["caller"], string>

const statuses = [
  ["400", "400 not valid"],
  ["401", "401 not signed in"],
  ["402", "402 over the cap"],
  ["403", "403 not allowed"],
  ["404", "404 not there"],
  ["405", "405 other method"],
  ["409", "409 in conflict"],
  ["413", "413 too large"],
  ["415", "415 no JSON"],
  ["429", "429 too often"],
  ["500", "500 our fault"],
  ["502", "502 database or provider"],
  ["503", "503 too busy"],
] as const

/** Text with `code` in backquotes, as the service writes what to do. */
const WithCode = (props: { readonly text: string }) => (
  <For each={props.text.split("`")}>{(part, at) => (at() % 2 === 1 ? <code>{part}</code> : part)}</For>
)

const columns: Columns<Row> = [
  {
    header: "Refused",
    cell: ({ row }) => (
      <div class="refused">
        <span class="tag">
          {row.original.status} {row.original.code}
        </span>
        <p>{row.original.message}</p>
        <p>
          <code>
            {row.original.method} {row.original.path.replace(/^\/v1/, "")}
          </code>{" "}
          <span class="quiet">by {callers[row.original.caller]}</span>
        </p>
      </div>
    ),
  },
  {
    header: "What to do",
    cell: ({ row }) => (
      <div class="refused">
        <WithCode text={row.original.what_to_do ?? "–"} />
      </div>
    ),
  },
  {
    header: "Times",
    cell: ({ row }) => sayNumber(row.original.count),
  },
  {
    header: "Last time, request",
    cell: ({ row }) => (
      <div class="last-refused">
        <Time at={row.original.last_at} />
        <code>{row.original.request_id}</code>
        <span class="quiet">
          since <Time at={row.original.first_at} />
        </span>
      </div>
    ),
  },
]

/** What apps and developers were refused, by route and code. */
const RefusedCalls = () => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ code?: string; status?: string }>()
  const { slice, turn } = useSlice()
  const query = () => {
    const status = statuses.find(([one]) => one === search.status)?.[0]
    return {
      ...slice(),
      ...(status === undefined ? {} : { status: Number(status) }),
      ...(search.code ? { code: search.code } : {}),
    }
  }
  const refused = createQuery(() => ({
    queryKey: ["refusals", project.id(), query()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/refusals", { params: { path: project.path(), query: query() }, signal }),
    placeholderData: keepPreviousData,
  }))
  return (
    <Page
      title="Refused calls"
      actions={
        <Button busy={refused.isFetching} onClick={() => void refused.refetch()}>
          Refresh
        </Button>
      }
    >
      <p class="quiet">
        What was refused in the last seven days, by route and code. The sentence is what the last call was told, without
        what it sent. The id of its request stands in the log of the service, too.
      </p>
      <div class="search">
        <Filter
          label="Status"
          choices={[["", "all"], ...statuses]}
          value={search.status ?? ""}
          onChange={(status) => setSearch({ status: status || null, offset: null })}
        />
        <Field
          label="Code"
          type="search"
          hint="The whole code, such as NOT_FOUND."
          value={search.code ?? ""}
          onChange={(event) =>
            setSearch({ code: event.currentTarget.value.trim().toUpperCase() || null, offset: null })
          }
        />
      </div>
      <Loaded of={refused}>
        {(found) => (
          <>
            <Table
              label="Refused calls"
              rows={found().data}
              columns={columns}
              empty={
                search.code || search.status
                  ? "No such call was refused."
                  : "Nothing was refused in the last seven days: there is nothing to do."
              }
            />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default RefusedCalls
