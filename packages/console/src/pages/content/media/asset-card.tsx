import { Clipboard } from "@ark-ui/solid/clipboard"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { sayBytes } from "../../../parts/values/say-number.ts"
import { Time } from "../../../parts/values/time.tsx"
import { UserLink } from "../../../parts/values/user-link.tsx"
import { useProject } from "../../../shell/project.tsx"

type Asset = Schemas["MediaAsset"]

// What the service lets browsers show; others are saved.
const isPicture = ({ mime_type, status }: Asset) =>
  status === "uploaded" && /^image\/(png|jpeg|gif|webp|avif)$/.test(mime_type)

/** A file: how it looks, its address, and how it is removed. */
export const AssetCard = (props: { readonly asset: Asset }) => {
  const project = useProject()
  const client = useQueryClient()
  const path = () => ({ ...project.path(), assetId: props.asset.id })
  const refresh = () => client.invalidateQueries({ queryKey: ["media", project.id()] })
  const look = async () => {
    const { data } = await api.POST("/admin/projects/{projectId}/media/{assetId}/complete", {
      params: { path: path() },
    })
    if (data.status !== "uploaded") throw new Error("The storage does not have it yet.")
    await refresh()
  }
  const remove = async () => {
    await api.DELETE("/admin/projects/{projectId}/media/{assetId}", { params: { path: path() } })
    await refresh()
  }
  return (
    <li class="asset">
      <Show
        when={isPicture(props.asset)}
        fallback={<span class="asset-picture quiet">{props.asset.mime_type.split("/")[1]}</span>}
      >
        <img class="asset-picture" src={props.asset.storage_url} alt={props.asset.alt_text ?? ""} loading="lazy" />
      </Show>
      <strong class="cut" title={props.asset.filename}>
        {props.asset.filename}
      </strong>
      <span class="quiet small">
        {props.asset.mime_type}
        <Show when={props.asset.size_bytes !== null}> · {sayBytes(props.asset.size_bytes ?? 0)}</Show>
      </span>
      <span class="quiet small">
        <Time at={props.asset.created_at} /> by{" "}
        <Show when={props.asset.uploaded_by !== "admin"} fallback="the console or a server">
          <UserLink id={props.asset.uploaded_by} />
        </Show>
      </span>
      <Show when={props.asset.status === "pending"}>
        <span class="tag">waits for its bytes</span>
      </Show>
      <div class="row">
        <Show when={props.asset.status === "uploaded"}>
          <a
            href={props.asset.storage_url}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open: ${props.asset.filename}`}
          >
            Open
          </a>
          <Clipboard.Root value={props.asset.storage_url}>
            <Clipboard.Trigger class="button plain" aria-label={`Copy address: ${props.asset.filename}`}>
              <Clipboard.Indicator copied="Copied">Copy address</Clipboard.Indicator>
            </Clipboard.Trigger>
          </Clipboard.Root>
        </Show>
        <Show when={project.mayWrite()}>
          <Show when={props.asset.status === "pending"}>
            <Confirm
              action="Look again"
              of={props.asset.filename}
              says="The storage is asked whether the bytes have arrived. A file whose bytes never come goes after 24 hours."
              done="The file is there."
              run={look}
            />
          </Show>
          <Confirm
            action="Remove"
            of={props.asset.filename}
            danger
            says={`${props.asset.filename} and its bytes are gone for good: whoever opens its address gets 404.`}
            done="The file is gone."
            run={remove}
          />
        </Show>
      </div>
    </li>
  )
}
