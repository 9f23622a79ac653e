import "../content.css"
import { useSearchParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Download } from "../../../parts/download.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { Page } from "../../../parts/page.tsx"
import { Filter } from "../../../parts/tables/filter.tsx"
import { type CountedPage, createPages } from "../../../parts/tables/load-more.ts"
import { More } from "../../../parts/tables/more.tsx"
import { Facts } from "../../../parts/values/facts.tsx"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { sayShort } from "../../../parts/values/say-short.ts"
import { sayTime, Time } from "../../../parts/values/time.tsx"
import { UserLink } from "../../../parts/values/user-link.tsx"
import { useProject } from "../../../shell/project.tsx"

type Review = Schemas["ListedReview"]

const approvals = [
  ["", "All"],
  ["false", "Waiting or hidden"],
  ["true", "Approved"],
] as const

const ratings = [
  ["", "All"],
  ["1-2", "1 and 2"],
  ["1-1", "1"],
  ["2-2", "2"],
  ["3-3", "3"],
  ["4-4", "4"],
  ["5-5", "5"],
  ["4-5", "4 and 5"],
] as const

/** What is asked for, as the address says it. */
const useReviewFilter = () => {
  const [search, setSearch] = useSearchParams<{ approved?: string; rating?: string }>()
  const approved = () => approvals.find(([value]) => value === search.approved)?.[0] ?? ""
  const rating = () => ratings.find(([value]) => value === search.rating)?.[0] ?? ""
  const bounds = () => {
    const [least, most] = rating().split("-")
    return rating() === "" ? {} : { rating_min: Number(least), rating_max: Number(most) }
  }
  return {
    ...{ approved, rating, bounds },
    set: (name: "approved" | "rating", value: string) => setSearch({ [name]: value || null }, { replace: true }),
    query: () => ({ ...bounds(), ...(approved() === "" ? {} : { is_approved: approved() === "true" }) }),
  }
}

const Stats = () => {
  const project = useProject()
  const stats = createQuery(() => ({
    queryKey: ["reviews", project.id(), "stats"],
    queryFn: () => api.GET("/admin/projects/{projectId}/reviews/stats", { params: { path: project.path() } }),
  }))
  return (
    <Loaded of={stats}>
      {(found) => (
        <Facts
          of={[
            ["All", () => sayNumber(found().data.total_reviews)],
            ["Waiting or hidden", () => sayNumber(found().data.pending_approval)],
            ["Average of approved ones", () => found().data.average_rating ?? "–"],
          ]}
        />
      )}
    </Loaded>
  )
}

const ReviewRow = (props: { readonly review: Review }) => {
  const project = useProject()
  const client = useQueryClient()
  const path = () => ({ ...project.path(), reviewId: props.review.id })
  const refresh = () => client.invalidateQueries({ queryKey: ["reviews", project.id()] })
  const name = () => {
    const { title, body, rating, reviewable_items: item, created_at } = props.review
    return sayShort(title || body || `${rating} of 5 for ${item.item_id}, ${sayTime(created_at)}`)
  }
  const approve = async () => {
    await api.PATCH("/admin/projects/{projectId}/reviews/{reviewId}", {
      params: { path: path() },
      body: { is_approved: !props.review.is_approved },
    })
    await refresh()
  }
  const remove = async () => {
    await api.DELETE("/admin/projects/{projectId}/reviews/{reviewId}", { params: { path: path() } })
    await refresh()
  }
  return (
    <li class="panel page">
      <div class="row">
        <b role="img" aria-label={`${props.review.rating} of 5`}>
          {"★".repeat(props.review.rating)}
        </b>
        <span>
          {props.review.reviewable_items.item_type} <code>{props.review.reviewable_items.item_id}</code>
        </span>
        <span class="tag">
          {props.review.is_approved
            ? "approved"
            : props.review.moderation === "shown"
              ? "waiting"
              : props.review.moderation}
        </span>
        <span class="gap" />
        <span class="quiet small">
          <UserLink id={props.review.app_user_id} name={props.review.app_users.display_name} />,{" "}
          <Time at={props.review.created_at} />
        </span>
      </div>
      <Show when={props.review.title}>{(title) => <strong>{title()}</strong>}</Show>
      <Show when={props.review.body}>{(body) => <p class="text">{body()}</p>}</Show>
      <Show when={project.mayWrite()}>
        <div class="row">
          <Confirm
            action={props.review.is_approved ? "Hide" : "Approve"}
            of={name()}
            says={
              props.review.is_approved
                ? "Others see it no more, and it counts in no average. Its author still sees it."
                : "Others see it, and it counts in the average of its item."
            }
            done={props.review.is_approved ? "The review is hidden." : "The review is approved."}
            run={approve}
          />
          <Confirm
            action="Remove"
            of={name()}
            danger
            says="The review is gone for good. Its author may write another one."
            done="The review is gone."
            run={remove}
          />
        </div>
      </Show>
    </li>
  )
}

const NoReviews = (props: { readonly isNarrowed: boolean }) => (
  <p class="quiet empty">
    <Show when={!props.isNarrowed} fallback="There is no review like that.">
      What users say of what they have used is listed here. Your app writes a review with{" "}
      <code>POST /v1/client/reviews</code>: see the <a href="/docs">reference</a>.
    </Show>
  </p>
)

/** What users say of what they have used. */
const Reviews = () => {
  const project = useProject()
  const filter = useReviewFilter()
  const reviews = createPages<Review, CountedPage<Review>>(
    () => ["reviews", project.id(), "list", filter.query()],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/reviews", {
        params: { path: project.path(), query: { limit: 50, cursor, ...filter.query() } },
        signal,
      }),
    true,
  )
  const exportPath = () => {
    const query = new URLSearchParams(Object.entries(filter.bounds()).map(([name, value]) => [name, String(value)]))
    return `/admin/projects/${project.id()}/reviews/export?${query}`
  }
  return (
    <Page title="Reviews">
      <Stats />
      <div class="row">
        <Filter
          label="Approval"
          choices={approvals}
          value={filter.approved()}
          onChange={(value) => filter.set("approved", value)}
        />
        <Filter
          label="Rating"
          choices={ratings}
          value={filter.rating()}
          onChange={(value) => filter.set("rating", value)}
        />
        <Download label="Save those of this rating as CSV" name="reviews.csv" path={exportPath} />
      </div>
      <Loaded of={reviews.query}>
        {() => (
          <>
            <Show
              when={reviews.rows().length > 0}
              fallback={<NoReviews isNarrowed={Object.keys(filter.query()).length > 0} />}
            >
              <ul class="page" aria-label="Reviews">
                <For each={reviews.rows()}>{(review) => <ReviewRow review={review} />}</For>
              </ul>
            </Show>
            <More of={reviews.query} shown={reviews.rows().length} total={reviews.first()?.total} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Reviews
