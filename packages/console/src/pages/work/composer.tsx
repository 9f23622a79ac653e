import "./work.css"
import { useNavigate } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { createEffect, createSignal, onCleanup, Show } from "solid-js"
import { createStore } from "solid-js/store"
import { api, type Schemas } from "../../api.ts"
import { Button } from "../../parts/button.tsx"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { readIssues } from "../../parts/editor/read-issues.ts"
import { ErrorNote } from "../../parts/error-note.tsx"
import { useProject } from "../../shell/project.tsx"
import { Audience, createAudience } from "./audience.tsx"
import { MessageFields, OptionFields, WhenFields } from "./composer-fields.tsx"
import { PhonePreview } from "./phone-preview.tsx"
import { PushTest } from "./push-test.tsx"
import { type Draft, draftNames, toCampaign, toChanges, toDraft, toMessage } from "./push-text.ts"
import { SegmentField } from "./segment-field.tsx"

type Preview = Schemas["PushCampaignPreview"]

// So long nothing is typed before it is looked whom it reaches.
const pauseMillis = 500

/** What can be asked about a draft: nothing while it has no text, or data that is no JSON. */
const askable = (draft: Draft): Schemas["NewPushCampaign"] | null => {
  const isTimed =
    draft.when === "draft" ||
    (draft.when === "absolute" ? draft.at !== "" : draft.localDate !== "" && draft.localTime !== "")
  if (draft.title === "" || draft.body === "" || !isTimed) return null
  try {
    return toCampaign(draft)
  } catch {
    return null
  }
}

/** Who is reached by what is typed, asked once nothing was typed for a moment; with the texts as the first of them reads them. */
const Reach = (props: { readonly draft: Draft; readonly onFound: (found: Preview | null) => void }) => {
  const [asked, setAsked] = createSignal<Schemas["NewPushCampaign"] | null>(null)
  createEffect(() => {
    const next = askable(props.draft)
    props.onFound(null)
    const timer = setTimeout(() => setAsked(next), pauseMillis)
    onCleanup(() => clearTimeout(timer))
  })
  const preview = createAudience(asked)
  createEffect(() => {
    if (asked() !== null && preview.isSuccess && !preview.isPlaceholderData) props.onFound(preview.data)
  })
  // An error of what was typed before says nothing about what is typed now.
  return <Audience preview={asked() === null || !preview.isSuccess ? null : preview.data} error={preview.error} />
}

/** What somebody else has changed: to be taken where one has changed nothing oneself, and the names of what both have changed. */
const mergeDrafts = (before: Draft, mine: Draft, theirs: Draft) => {
  const names = draftNames.filter((name) => theirs[name] !== before[name] && theirs[name] !== mine[name])
  const [taken, conflicts] = [
    names.filter((name) => mine[name] === before[name]),
    names.filter((name) => mine[name] !== before[name]),
  ]
  return { changes: Object.fromEntries(taken.map((name) => [name, theirs[name]])), conflicts }
}

/** Writes a campaign: its text, whom it reaches, and when. */
export const Composer = (props: { readonly campaign: Schemas["PushCampaign"] | null }) => {
  const project = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [draft, setDraft] = createStore<Draft>(toDraft(props.campaign))
  const [found, setFound] = createSignal<Preview | null>(null)
  const [error, setError] = createSignal<unknown>(null)
  const [isBusy, setIsBusy] = createSignal(false)
  const set = (changes: Partial<Draft>) => setDraft(changes)
  const fault = (path: string) => readIssues(error()).find((issue) => issue.path === path)?.message
  // What the form began with, or what was there when it was last saved in vain.
  let base = toDraft(props.campaign)

  /** Refuses to write over what somebody else has changed meanwhile; who saves again has seen it. */
  const meet = async (campaignId: string) => {
    const { data } = await api.GET("/admin/projects/{projectId}/push/campaigns/{campaignId}", {
      params: { path: { ...project.path(), campaignId } },
    })
    const theirs = toDraft(data)
    const { changes, conflicts } = mergeDrafts(base, draft, theirs)
    base = theirs
    set(changes)
    if (conflicts.length > 0)
      throw new Error(
        `Somebody else has changed this meanwhile. Nothing is saved yet; yours is still here, and saving again keeps it. Theirs: ${conflicts
          .map((name) => `${name} “${theirs[name]}”`)
          .join(", ")}.`,
      )
  }
  const write = async (): Promise<Schemas["PushCampaign"]> => {
    if (props.campaign === null) {
      const made = await api.POST("/admin/projects/{projectId}/push/campaigns", {
        params: { path: project.path() },
        body: toCampaign(draft),
      })
      return made.data
    }
    await meet(props.campaign.id)
    const changed = await api.PATCH("/admin/projects/{projectId}/push/campaigns/{campaignId}", {
      params: { path: { ...project.path(), campaignId: props.campaign.id } },
      body: toChanges(draft),
    })
    return changed.data
  }
  const save = async (): Promise<string> => {
    setError(null)
    try {
      const { id } = await write()
      await client.invalidateQueries({ queryKey: ["campaigns", project.id()], refetchType: "none" })
      return id
    } catch (problem) {
      setError(problem)
      throw problem
    }
  }
  const leave = (id: string) => navigate(project.href(`campaigns/${id}`))
  const keep = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsBusy(true)
    try {
      leave(await save())
    } catch {
      // It is shown below the fields.
    } finally {
      setIsBusy(false)
    }
  }
  const schedule = async () => leave(await save())
  const isTimed = () => draft.when !== "draft"

  return (
    <div class="composer">
      <form onSubmit={keep}>
        <MessageFields draft={draft} set={set} fault={fault} />
        <SegmentField label="To" value={draft.segmentId} onChange={(segmentId) => set({ segmentId })} />
        <WhenFields draft={draft} set={set} fault={fault} isNew={props.campaign === null} />
        <OptionFields draft={draft} set={set} fault={fault} />
        <ErrorNote error={error()} />
        <div class="row">
          <Show
            when={isTimed() && props.campaign === null}
            fallback={
              <Button type="submit" kind="primary" busy={isBusy()}>
                {props.campaign === null ? "Save draft" : "Save"}
              </Button>
            }
          >
            <Confirm
              action="Schedule"
              says={`It goes to ${found()?.recipients ?? "its"} users at its time. Until then it can be changed and cancelled.`}
              done="It is scheduled."
              run={schedule}
            />
          </Show>
        </div>
      </form>
      <div class="page">
        <PhonePreview
          app="Your app"
          title={found()?.sample[0]?.title ?? draft.title}
          body={found()?.sample[0]?.body ?? draft.body}
          imageUrl={draft.imageUrl}
        />
        <Reach draft={draft} onFound={setFound} />
        <PushTest message={() => toMessage(draft)} />
      </div>
    </div>
  )
}
