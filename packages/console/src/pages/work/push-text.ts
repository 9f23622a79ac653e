import type { Schemas } from "../../api.ts"
import { readJson } from "../../parts/read-json.ts"

/** A campaign as it is typed. */
export interface Draft {
  readonly name: string
  readonly title: string
  readonly body: string
  /** JSON, or nothing. */
  readonly data: string
  readonly segmentId: string
  readonly when: "draft" | "absolute" | "local_time"
  /** In the viewer's zone, as the field gives it. */
  readonly at: string
  readonly localDate: string
  readonly localTime: string
  readonly sound: string
  readonly badge: string
  readonly imageUrl: string
  readonly collapseId: string
  readonly ttl: string
}

type Campaign = Schemas["PushCampaign"]

const pad = (value: number) => String(value).padStart(2, "0")

/** An instant as a field for local times shows it. */
const toLocalField = (at: string): string => {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

const readWhen = ({ delivery_mode, scheduled_at }: Campaign): Draft["when"] => {
  if (delivery_mode === "local_time") return "local_time"
  return scheduled_at === null ? "draft" : "absolute"
}

/** What is typed at first: a campaign that is there, or nothing. */
export const toDraft = (campaign: Campaign | null): Draft => ({
  name: campaign?.name ?? "",
  title: campaign?.title ?? "",
  body: campaign?.body ?? "",
  data: Object.keys(campaign?.data ?? {}).length > 0 ? JSON.stringify(campaign?.data, null, 2) : "",
  segmentId: campaign?.segment_id ?? "",
  when: campaign === null ? "draft" : readWhen(campaign),
  at: campaign?.scheduled_at ? toLocalField(campaign.scheduled_at) : "",
  localDate: campaign?.local_date ?? "",
  localTime: campaign?.local_time ?? "",
  sound: campaign?.options.sound ?? "",
  badge: campaign?.options.badge?.toString() ?? "",
  imageUrl: campaign?.options.image_url ?? "",
  collapseId: campaign?.options.collapse_id ?? "",
  ttl: campaign?.options.ttl_seconds?.toString() ?? "",
})

/** The names of all that is typed. */
export const draftNames = Object.keys(toDraft(null)) as ReadonlyArray<keyof Draft>

const toOptions = (draft: Draft): Schemas["PushOptions"] => ({
  ...(draft.sound === "" ? {} : { sound: draft.sound }),
  ...(draft.badge === "" ? {} : { badge: Number(draft.badge) }),
  ...(draft.imageUrl === "" ? {} : { image_url: draft.imageUrl }),
  ...(draft.collapseId === "" ? {} : { collapse_id: draft.collapseId }),
  ...(draft.ttl === "" ? {} : { ttl_seconds: Number(draft.ttl) }),
})

/** What every push of a draft says. */
export const toMessage = (draft: Draft) => ({
  title: draft.title,
  body: draft.body,
  data: readJson("Data", draft.data) ?? {},
  options: toOptions(draft),
})

const toSchedule = ({ when, at, localDate, localTime }: Draft) => {
  if (when === "absolute") return { scheduled_at: at === "" ? "" : new Date(at).toISOString() }
  if (when === "local_time") return { delivery_mode: when, local_date: localDate, local_time: localTime }
  return {}
}

/** The campaign of a draft. */
export const toCampaign = (draft: Draft): Schemas["NewPushCampaign"] => ({
  ...toMessage(draft),
  ...(draft.name === "" ? {} : { name: draft.name }),
  segment_id: draft.segmentId === "" ? null : draft.segmentId,
  ...toSchedule(draft),
})

/** What a draft changes of a campaign. When it is sent stays, unless it has a time of its own. */
export const toChanges = (draft: Draft): Schemas["PushCampaignChanges"] => ({
  ...toMessage(draft),
  ...(draft.name === "" ? {} : { name: draft.name }),
  segment_id: draft.segmentId === "" ? null : draft.segmentId,
  ...(draft.when === "absolute" && draft.at !== "" ? { scheduled_at: new Date(draft.at).toISOString() } : {}),
})
