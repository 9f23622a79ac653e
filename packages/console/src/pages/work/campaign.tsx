import "./work.css"
import { A, useNavigate, useParams } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Facts } from "../../parts/values/facts.tsx"
import { JsonView } from "../../parts/values/json-view.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"
import { createCampaign } from "./campaign-query.ts"
import { Deliveries } from "./deliveries.tsx"
import { PhonePreview } from "./phone-preview.tsx"

type Campaign = Schemas["PushCampaignWithStats"]

const isOpen = ({ status }: Campaign) => status === "draft" || status === "scheduled"

const Actions = (props: { readonly campaign: Campaign }) => {
  const project = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const params = () => ({ path: { ...project.path(), campaignId: props.campaign.id } })
  const changed = () => client.invalidateQueries({ queryKey: ["campaigns", project.id()] })
  const send = async () => {
    await api.POST("/admin/projects/{projectId}/push/campaigns/{campaignId}/send", { params: params() })
    await changed()
  }
  const cancel = async () => {
    await api.POST("/admin/projects/{projectId}/push/campaigns/{campaignId}/cancel", { params: params() })
    await changed()
  }
  const remove = async () => {
    await api.DELETE("/admin/projects/{projectId}/push/campaigns/{campaignId}", { params: params() })
    navigate(project.href("campaigns"))
    await client.invalidateQueries({ queryKey: ["campaigns", project.id(), "list"] })
  }
  return (
    <>
      <Show when={isOpen(props.campaign)}>
        <A class="button plain" href={project.href(`campaigns/${props.campaign.id}/edit`)}>
          Edit
        </A>
      </Show>
      <Show when={props.campaign.status === "draft"}>
        <Confirm
          action="Send now"
          says="It goes to everybody it is meant for, at once. What was sent cannot be taken back."
          done="It is being sent."
          run={send}
        />
      </Show>
      <Show when={isOpen(props.campaign) || props.campaign.status === "sending"}>
        <Confirm
          action="Cancel campaign"
          danger
          says="What was begun is finished, nothing more is sent, and it cannot be sent later."
          done="It is cancelled."
          run={cancel}
        />
      </Show>
      <Show when={isOpen(props.campaign)}>
        <Confirm action="Delete" danger says="It is removed for good." done="It was removed." run={remove} />
      </Show>
    </>
  )
}

/** A figure of a campaign, which leads to the deliveries that it counts. */
const Figure = (props: {
  readonly name: string
  readonly value: number
  readonly href: string
  readonly of?: number
}) => (
  <li>
    <A href={props.href} noScroll>
      <span class="figure">{sayNumber(props.value)}</span>
      <span>
        {props.name}
        <Show when={props.of}>{(all) => ` (${Math.round((props.value / all()) * 100)} %)`}</Show>
      </span>
    </A>
  </li>
)

const Figures = (props: { readonly campaign: Campaign }) => {
  const project = useProject()
  const stats = () => props.campaign.stats
  const href = (status?: string) =>
    `${project.href(`campaigns/${props.campaign.id}`)}${status === undefined ? "" : `?status=${status}`}#deliveries`
  return (
    <ul class="figures" aria-label="Figures">
      <Figure name="Recipients" value={stats().recipients} href={href()} />
      <Figure name="Sent" value={stats().sent} href={href("sent")} />
      <Figure name="Delivered" value={stats().delivered} of={stats().sent} href={href("sent")} />
      <Figure name="Opened" value={stats().opened} of={stats().sent} href={href("sent")} />
      <Figure name="Failed" value={stats().failed} href={href("failed")} />
      <Figure name="Skipped" value={stats().skipped} href={href("skipped")} />
      <Show when={stats().unknown > 0}>
        <Figure name="Unknown" value={stats().unknown} href={href("unknown")} />
      </Show>
    </ul>
  )
}

const Target = (props: { readonly segmentId: string | null }) => {
  const project = useProject()
  const segment = createQuery(() => ({
    queryKey: ["segments", project.id(), "one", props.segmentId],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/segments/{segmentId}", {
        params: { path: { ...project.path(), segmentId: props.segmentId ?? "" } },
      }),
    enabled: props.segmentId !== null,
    staleTime: 60_000,
  }))
  return (
    <Show when={props.segmentId} fallback="All users">
      {(id) => (
        <A href={project.href(`segments/${id()}`)}>{segment.isSuccess ? segment.data.data.name : id().slice(0, 8)}</A>
      )}
    </Show>
  )
}

const Scheduled = (props: { readonly campaign: Campaign }) => (
  <>
    <Time at={props.campaign.scheduled_at} />
    <Show when={props.campaign.delivery_mode === "local_time"}>
      {` for the first zone: ${props.campaign.local_date} ${props.campaign.local_time?.slice(0, 5)} of each user's own`}
    </Show>
  </>
)

const CampaignFacts = (props: { readonly campaign: Campaign }) => (
  <Facts
    of={[
      ["Status", () => <span class={`tag ${props.campaign.status}`}>{props.campaign.status}</span>],
      ...(props.campaign.error === null
        ? []
        : [["Cause", () => <span class="fault">{props.campaign.error}</span>] as const]),
      ["To", () => <Target segmentId={props.campaign.segment_id} />],
      ["Scheduled", () => <Scheduled campaign={props.campaign} />],
      ["Sent", () => <Time at={props.campaign.sent_at} />],
      ["Made", () => <Time at={props.campaign.created_at} />],
    ]}
  />
)

/** A campaign: what it says, how it does, and each of its pushes. */
const CampaignPage = () => {
  const project = useProject()
  const params = useParams<{ readonly campaignId: string }>()
  const campaign = createCampaign(() => params.campaignId, { isFollowed: true })
  return (
    <Loaded of={campaign}>
      {(found) => (
        <Page
          title={found().data.name}
          actions={
            <Show when={project.mayWrite()}>
              <Actions campaign={found().data} />
            </Show>
          }
        >
          <p>
            <A href={project.href("campaigns")}>All campaigns</A>
          </p>
          <Figures campaign={found().data} />
          <div class="composer">
            <CampaignFacts campaign={found().data} />
            <PhonePreview
              app="Your app"
              title={found().data.title}
              body={found().data.body}
              imageUrl={found().data.options.image_url}
            />
          </div>
          <details>
            <summary>Data and options</summary>
            <JsonView value={{ data: found().data.data, options: found().data.options }} label="Data and options" />
          </details>
          <Deliveries campaignId={params.campaignId} isSending={found().data.status === "sending"} />
        </Page>
      )}
    </Loaded>
  )
}

export default CampaignPage
