import { A, useSearchParams } from "@solidjs/router"
import { onCleanup, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Download } from "../../parts/download.tsx"
import { Field } from "../../parts/field.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Filter } from "../../parts/tables/filter.tsx"
import { type CountedPage, createPages } from "../../parts/tables/load-more.ts"
import { More } from "../../parts/tables/more.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { isEverybody } from "../../parts/values/is-everybody.ts"
import { sayMany } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"
import "./users.css"

// As long as people pause between two letters.
const pauseMillis = 200

type Row = Schemas["AdminUser"]

const sayStreaks = ({ streaks }: Row): string =>
  streaks.map(({ current_count, streak_definitions: { name } }) => `${name} ${current_count}`).join(", ")

/** The users, found by any id, email or name, and those of a segment. */
const Users = () => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ q?: string; segment?: string }>()
  const segments = createQuery(() => ({
    queryKey: ["segments", project.id(), "names"],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/segments", { params: { path: project.path(), query: { limit: 1_000 } } }),
    staleTime: 60_000,
  }))
  const users = createPages<Row, CountedPage<Row>>(
    () => ["users", project.id(), search.q ?? "", search.segment ?? ""],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/users", {
        params: {
          path: project.path(),
          query: {
            limit: 50,
            cursor,
            ...(search.q?.trim() ? { search: search.q.trim() } : {}),
            ...(search.segment ? { segment_id: search.segment } : {}),
          },
        },
        signal,
      }),
    true,
  )
  // Nobody has asked for what is found for half a word.
  let waiting: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(waiting))
  const find = (text: string) => {
    clearTimeout(waiting)
    waiting = setTimeout(() => setSearch({ q: text || null }, { replace: true }), pauseMillis)
  }
  const choices = (): ReadonlyArray<readonly [string, string]> => [
    ["", "All users"],
    ...(segments.data?.data ?? []).filter((each) => !isEverybody(each)).map(({ id, name }) => [id, name] as const),
  ]
  const exported = () =>
    `/admin/projects/${project.id()}/users/export${
      search.segment ? `?segment_id=${encodeURIComponent(search.segment)}` : ""
    }`
  const columns: Columns<Row> = [
    {
      header: "User",
      cell: ({ row: { original } }) => (
        <>
          <A href={project.href(`users/${original.id}`)}>{original.display_name || original.email || original.id}</A>
          <Show when={original.is_disabled}>
            {" "}
            <span class="tag broken">disabled</span>
          </Show>
        </>
      ),
    },
    { header: "Email", cell: ({ row: { original } }) => original.email ?? <span class="quiet">–</span> },
    { header: "Streaks", cell: ({ row: { original } }) => sayStreaks(original) },
    {
      header: "Entitlements",
      cell: ({ row: { original } }) =>
        original.entitlements
          .filter(({ is_active }) => is_active)
          .map(({ entitlement_id }) => entitlement_id)
          .join(", "),
    },
    { header: "Last seen", cell: ({ row: { original } }) => <Time at={original.last_seen_at} /> },
  ]
  return (
    <Page title="Users">
      <div class="search">
        <Field
          label="Search"
          type="search"
          hint="Any id, an email or a name."
          value={search.q ?? ""}
          onInput={(event) => find(event.currentTarget.value)}
        />
        <Filter
          label="Segment"
          choices={choices()}
          value={search.segment ?? ""}
          onChange={(segment) => setSearch({ segment: segment || null })}
        />
      </div>
      <Loaded of={users.query}>
        {() => (
          <>
            <p class="quiet" role="status">
              {sayMany(users.first()?.total ?? 0, "user")}
            </p>
            <Table
              label="Users"
              rows={users.rows()}
              columns={columns}
              empty={
                <Show when={!search.q && !search.segment} fallback="No user is found.">
                  Who signs in to your app is listed here. <A href={project.href("start")}>Get started</A> has the code
                  for the first user.
                </Show>
              }
            />
            <More of={users.query} />
          </>
        )}
      </Loaded>
      <Download
        label={search.segment ? "Export the users of this segment" : "Export all users"}
        name="users-export.csv"
        path={exported}
      />
    </Page>
  )
}

export default Users
