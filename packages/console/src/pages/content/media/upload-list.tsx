import { FileUpload } from "@ark-ui/solid/file-upload"
import { Progress } from "@ark-ui/solid/progress"
import { createMemo, Index, Match, onCleanup, Show, Switch } from "solid-js"
import { Button } from "../../../parts/button.tsx"
import { ErrorNote } from "../../../parts/error-note.tsx"
import { sayBytes, sayNumber } from "../../../parts/values/say-number.ts"
import { addUploads, cancelUpload, clearUploads, retryUpload, type Upload, uploads } from "./uploads.ts"

const Picture = (props: { readonly file: File }) => {
  const address = createMemo(() => {
    const made = URL.createObjectURL(props.file)
    onCleanup(() => URL.revokeObjectURL(made))
    return made
  })
  return <img class="thumb" src={address()} alt="" />
}

const words = { waiting: "Waiting", done: "Uploaded", failed: "Failed", cancelled: "Cancelled" } as const

const UploadRow = (props: { readonly upload: Upload }) => {
  const share = () => (props.upload.file.size === 0 ? 0 : (100 * props.upload.sent) / props.upload.file.size)
  const retriable = () => props.upload.state === "failed" || props.upload.state === "cancelled"
  return (
    <li class="upload">
      <Show when={props.upload.file.type.startsWith("image/")} fallback={<span class="thumb" />}>
        <Picture file={props.upload.file} />
      </Show>
      <div class="upload-text">
        <span class="upload-name">{props.upload.file.name}</span>
        <span class="quiet small">
          {sayBytes(props.upload.sent)} of {sayBytes(props.upload.file.size)}
          <Show when={props.upload.state !== "sending"}>
            {" · "}
            {words[props.upload.state as keyof typeof words]}
          </Show>
        </span>
        <Show when={props.upload.state === "sending"}>
          <Progress.Root value={Math.min(100, Math.round(share()))} class="progress">
            <Progress.Label class="unseen">{props.upload.file.name}</Progress.Label>
            <Progress.Track class="progress-track">
              <Progress.Range class="progress-range" />
            </Progress.Track>
          </Progress.Root>
        </Show>
        <ErrorNote error={props.upload.error} />
      </div>
      <Switch>
        <Match when={retriable()}>
          <Button aria-label={`Try again: ${props.upload.file.name}`} onClick={() => retryUpload(props.upload.id)}>
            Try again
          </Button>
        </Match>
        <Match when={props.upload.state !== "done"}>
          <Button aria-label={`Cancel ${props.upload.file.name}`} onClick={() => cancelUpload(props.upload.id)}>
            Cancel
          </Button>
        </Match>
      </Switch>
    </li>
  )
}

/** Where files are dropped or chosen, and what becomes of them. */
export const Uploads = (props: {
  readonly projectId: string
  readonly folderId: string | null
  /** The folder by name; null where they will be in none. */
  readonly place: string | null
}) => {
  const own = createMemo(() => uploads().filter(({ projectId }) => projectId === props.projectId))
  const ended = () => own().filter(({ state }) => state !== "waiting" && state !== "sending")
  return (
    <section class="page">
      <FileUpload.Root
        maxFiles={1_000}
        acceptedFiles={[]}
        onFileAccept={({ files }) => {
          if (files.length > 0) addUploads(props.projectId, props.folderId, files)
        }}
      >
        <FileUpload.Label class="unseen">Files to upload</FileUpload.Label>
        <FileUpload.Dropzone class="dropzone" disableClick>
          <span>Drop files here{props.place === null ? "" : ` to add them to ${props.place}`}, or</span>
          <FileUpload.Trigger class="button primary">Choose files</FileUpload.Trigger>
        </FileUpload.Dropzone>
        <FileUpload.HiddenInput />
      </FileUpload.Root>
      <Show when={own().length > 0}>
        <section class="panel" aria-label="Uploads">
          <div class="row">
            <span role="status">
              {sayNumber(ended().length)} of {sayNumber(own().length)} ended
            </span>
            <Show when={ended().length > 0}>
              <div class="row end">
                <Button kind="link" onClick={() => clearUploads(props.projectId)}>
                  Clear the list
                </Button>
              </div>
            </Show>
          </div>
          <ul>
            <Index each={own()}>{(upload) => <UploadRow upload={upload()} />}</Index>
          </ul>
        </section>
      </Show>
    </section>
  )
}
