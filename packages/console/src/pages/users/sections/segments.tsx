import { A, useSearchParams } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Loaded } from "../../../parts/loaded.tsx"
import { RuleText } from "../../../parts/rules/rule-text.tsx"
import { Pager } from "../../../parts/tables/pager.tsx"
import { type Columns, Table } from "../../../parts/tables/table.tsx"
import { useSlice } from "../../../parts/tables/use-slice.ts"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { Time } from "../../../parts/values/time.tsx"
import { describeCulprit, findCulprits } from "../explain.ts"
import { useUser } from "../use-user.ts"

type Explained = Schemas["MembershipExplained"]

/** In a sentence: in or out, and why. */
const verdict = ({ is_member, is_manual, matches }: Explained): string => {
  if (is_member) {
    if (is_manual) return "In it: somebody has added the user by hand, whatever the rules say."
    return matches
      ? "In it: the rules match."
      : "In it still, but the rules do not match any more: the next evaluation takes the user out."
  }
  return matches
    ? "Not in it yet, but the rules match by now: the next evaluation takes the user in."
    : "Not in it, because:"
}

const Explanation = (props: { readonly segmentId: string; readonly name: string | undefined }) => {
  const user = useUser()
  const explained = createQuery(() => ({
    queryKey: user.key("explain", props.segmentId),
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/segments/{segmentId}/explain/{userId}", {
        params: { path: { ...user.path(), segmentId: props.segmentId } },
      }),
  }))
  return (
    <section class="panel page" aria-label="Why" aria-live="polite">
      <Loaded of={explained}>
        {(found) => {
          const of = () => found().data
          return (
            <>
              <h2>{props.name ?? "Segment"}</h2>
              <p class="why">{verdict(of())}</p>
              <Show when={!of().matches && !of().is_manual}>
                <ul class="culprits">
                  <For each={findCulprits(of().tree)}>{(culprit) => <li>{describeCulprit(culprit)}</li>}</For>
                </ul>
              </Show>
              <details>
                <summary>All conditions</summary>
                <RuleText node={of().tree} />
              </details>
              <p class="quiet small">
                Explained <Time at={of().explained_at} />, last evaluated <Time at={of().evaluated_at} />.
              </p>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

/** The segments, and why the user is in one or not. */
const Segments = () => {
  const user = useUser()
  const [search] = useSearchParams<{ segment?: string }>()
  const { slice, turn } = useSlice()
  const segments = createQuery(() => ({
    queryKey: ["segments", user.project.id(), slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/segments", {
        params: { path: user.project.path(), query: slice() },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  const memberships = createQuery(() => ({
    queryKey: user.key("memberships"),
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/users/{userId}/records/{section}", {
        params: { path: { ...user.path(), section: "segment_memberships" }, query: { limit: 1_000 } },
      }),
  }))
  const isMember = (id: string): string => {
    const found = memberships.data
    if (found?.data.some(({ segment_id }) => segment_id === id)) return "In it"
    // Beyond the first thousand it is not known here; the explanation says it.
    return found === undefined || found.next_cursor !== null ? "In it or not" : "Not in it"
  }
  const columns: Columns<Schemas["Segment"]> = [
    { header: "Segment", cell: ({ row: { original } }) => original.name },
    { header: "Users", cell: ({ row: { original } }) => sayNumber(original.user_count) },
    {
      header: "This user",
      cell: ({ row: { original } }) => (
        <A href={user.href(`tab=segments&segment=${original.id}`)} noScroll>
          {isMember(original.id)}: why?<span class="unseen"> {original.name}</span>
        </A>
      ),
    },
  ]
  return (
    <>
      <Show when={search.segment} keyed>
        {(id) => <Explanation segmentId={id} name={segments.data?.data.find((each) => each.id === id)?.name} />}
      </Show>
      <p>Choose a segment: the page says which condition is not met, and with which value.</p>
      <Loaded of={segments}>
        {(found) => (
          <>
            <Table label="Segments" rows={found().data} columns={columns} empty="The project has no segment." />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </>
  )
}

export default Segments
