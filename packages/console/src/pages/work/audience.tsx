import { keepPreviousData } from "@tanstack/solid-query"
import { createMemo, For, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Chart } from "../../parts/chart.tsx"
import { createQuery } from "../../parts/create-query.ts"
import { ErrorNote } from "../../parts/error-note.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { useProject } from "../../shell/project.tsx"

type Preview = Schemas["PushCampaignPreview"]
type Group = Preview["groups"][number]

// More zones than anybody reads at once.
const shownGroups = 40

const columns: Columns<Group> = [
  { header: "Time zone", cell: ({ row }) => row.original.timezone ?? "none: UTC" },
  { header: "Sent", cell: ({ row }) => <Time at={row.original.fire_at} /> },
  { header: "Recipients", cell: ({ row }) => sayNumber(row.original.recipients) },
  { header: "Skipped", cell: ({ row }) => sayNumber(row.original.skipped) },
]

/** How many are reached at each instant: zones with the same time are one. */
const byInstant = (groups: ReadonlyArray<Group>) => {
  const sums = new Map<number, number>()
  for (const { fire_at, recipients } of groups) {
    const at = Date.parse(fire_at) / 1_000
    sums.set(at, (sums.get(at) ?? 0) + recipients)
  }
  return [...sums].sort(([a], [b]) => a - b)
}

const Zones = (props: { readonly groups: ReadonlyArray<Group> }) => {
  const instants = createMemo(() => byInstant(props.groups))
  return (
    <>
      <Show when={instants().length > 1}>
        <Chart
          label="Recipients by the time at which they are reached"
          of="Recipients"
          over="Time, in your zone"
          bars
          height={160}
          times={instants().map(([at]) => at)}
          series={[{ label: "Recipients", values: instants().map(([, recipients]) => recipients) }]}
        />
      </Show>
      <Table
        label="Time zones"
        rows={[...props.groups].sort((a, b) => b.recipients - a.recipients).slice(0, shownGroups)}
        columns={columns}
        empty="Nobody with a device is reached."
      />
      <Show when={props.groups.length > shownGroups}>
        <p class="quiet">
          The {shownGroups} greatest of {props.groups.length} time zones.
        </p>
      </Show>
    </>
  )
}

const Samples = (props: { readonly of: Preview["sample"] }) => (
  <Show when={props.of.length > 0}>
    <details>
      <summary>What some of them would read</summary>
      <ul class="samples">
        <For each={props.of}>
          {({ app_user_id, title, body }) => (
            <li>
              <strong>{title}</strong> {body} <UserLink id={app_user_id} />
            </li>
          )}
        </For>
      </ul>
    </details>
  </Show>
)

/** Whom a campaign would reach, and when. `campaign` is null while it cannot be asked for. */
export const createAudience = (campaign: () => Schemas["NewPushCampaign"] | null) => {
  const project = useProject()
  return createQuery(() => {
    const body = campaign()
    return {
      queryKey: ["push-preview", project.id(), body],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        body === null
          ? null
          : (
              await api.POST("/admin/projects/{projectId}/push/campaigns/preview", {
                params: { path: project.path() },
                body,
                signal,
              })
            ).data,
      placeholderData: keepPreviousData,
    }
  })
}

/** Shows whom a campaign would reach: how many, when, and what they would read. */
export const Audience = (props: { readonly preview: Preview | null | undefined; readonly error: unknown }) => (
  <section class="panel page" aria-live="polite">
    <h2>Recipients</h2>
    <ErrorNote error={props.error} />
    <Show
      when={props.preview}
      fallback={
        <Show when={!props.error}>
          <p class="quiet">With a title and a body, this shows who is reached and when.</p>
        </Show>
      }
    >
      {(found) => (
        <>
          <p>
            <strong>{sayNumber(found().recipients)}</strong> users with {sayNumber(found().devices)} devices (
            {sayNumber(found().by_platform.ios)} iOS, {sayNumber(found().by_platform.android)} Android,{" "}
            {sayNumber(found().by_platform.web)} web)
          </p>
          <Zones groups={found().groups} />
          <Samples of={found().sample} />
        </>
      )}
    </Show>
  </section>
)
