import { createSignal } from "solid-js"
import { api } from "../../../api.ts"
import { queries } from "../../../queries.ts"
import { sendFile } from "./send-file.ts"

/** A file that was chosen to be uploaded. */
export interface Upload {
  readonly id: number
  readonly projectId: string
  readonly folderId: string | null
  readonly file: File
  readonly state: "waiting" | "sending" | "done" | "failed" | "cancelled"
  /** How many of its bytes have gone. */
  readonly sent: number
  readonly error: unknown
}

// As many at once as a connection has use for.
const atOnce = 3

// Uploads go on while another page is looked at.
const [uploads, setUploads] = createSignal<ReadonlyArray<Upload>>([])
const controllers = new Map<number, AbortController>()
let made = 0

export { uploads }

const change = (id: number, changes: Partial<Upload>) =>
  setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))

const isOpen = ({ state }: Upload) => state === "waiting" || state === "sending"

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** Whoever closes the window while files are on their way is asked first. */
const guard = () => {
  if (uploads().some(isOpen)) addEventListener("beforeunload", warn)
  else removeEventListener("beforeunload", warn)
}

/** Makes the file's entry, sends its bytes, and asks the storage whether they are there. What fails leaves no entry. */
const send = async ({ id, projectId, folderId, file }: Upload, signal: AbortSignal) => {
  const type = file.type === "" ? "application/octet-stream" : file.type
  const { data, upload_url } = await api.POST("/admin/projects/{projectId}/media", {
    params: { path: { projectId } },
    body: { filename: file.name, mime_type: type, size_bytes: file.size, folder_id: folderId },
  })
  const path = { projectId, assetId: data.id }
  try {
    // Given up while the entry was made: a call that is broken off may have made it all the same.
    signal.throwIfAborted()
    await sendFile({ url: upload_url, file, type, signal, onSent: (sent) => change(id, { sent }) })
    const { data: found } = await api.POST("/admin/projects/{projectId}/media/{assetId}/complete", { params: { path } })
    if (found.status !== "uploaded") throw new Error("The storage does not have the file yet.")
  } catch (error) {
    // Whatever becomes of it: an entry without bytes is given up by the service after a day.
    await api.DELETE("/admin/projects/{projectId}/media/{assetId}", { params: { path } }).catch(() => {})
    throw error
  }
}

const run = async (upload: Upload) => {
  const controller = new AbortController()
  controllers.set(upload.id, controller)
  change(upload.id, { state: "sending", sent: 0, error: null })
  try {
    await send(upload, controller.signal)
    change(upload.id, { state: "done", sent: upload.file.size })
    void queries.invalidateQueries({ queryKey: ["media", upload.projectId] })
  } catch (error) {
    change(upload.id, controller.signal.aborted ? { state: "cancelled" } : { state: "failed", error })
  } finally {
    controllers.delete(upload.id)
    next()
  }
}

const next = () => {
  guard()
  const free = atOnce - uploads().filter(({ state }) => state === "sending").length
  for (const upload of uploads()
    .filter(({ state }) => state === "waiting")
    .slice(0, Math.max(0, free)))
    void run(upload)
}

/** Uploads files into a folder, a few at a time. */
export const addUploads = (projectId: string, folderId: string | null, files: ReadonlyArray<File>): void => {
  const added = files.map((file): Upload => {
    made += 1
    return { id: made, projectId, folderId, file, state: "waiting", sent: 0, error: null }
  })
  setUploads((before) => [...before, ...added])
  next()
}

/** Stops an upload, or keeps it from beginning. */
export const cancelUpload = (id: number): void => {
  const controller = controllers.get(id)
  controller?.abort()
  if (controller === undefined) change(id, { state: "cancelled" })
  guard()
}

/** Begins an upload anew. */
export const retryUpload = (id: number): void => {
  change(id, { state: "waiting", sent: 0, error: null })
  next()
}

/** Takes what has ended off the list. */
export const clearUploads = (projectId: string): void =>
  void setUploads((before) => before.filter((upload) => upload.projectId !== projectId || isOpen(upload)))
