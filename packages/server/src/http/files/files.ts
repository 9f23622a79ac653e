import { type Failure, NotFound } from "@hearth/core"
import { type IncomingFile, MediaAsset, type ServedFile } from "@hearth/core/media"
import { Effect, Exit } from "effect"
import { readFileBody, readLength } from "../request/file-body.ts"
import { percentDecode } from "../request/inputs.ts"
import type { OriginReader } from "../request/origin.ts"
import type { RequestEvent } from "../request/request.ts"
import { ok } from "../response/answers.ts"
import { refuse } from "../response/respond.ts"
import { answerExit, type Databases } from "../routing/handler.ts"
import type { Responder } from "../routing/request-context.ts"
import { serveFile } from "./serve-file.ts"

/** Files that come and go through the service [I7.2]. */
export interface Files {
  readonly receive: (projectId: string, name: string, file: IncomingFile) => Effect.Effect<MediaAsset, Failure>
  readonly open: (projectId: string, name: string) => Effect.Effect<ServedFile, Failure>
}

/** Where files are, from the root of the host. */
export const filesPattern = "/files/:projectId/:name"

/** Whether a request sends a file: it may take long, and nobody else's may. */
export const isUpload = (method: string | undefined, url: string | undefined): boolean =>
  method === "PUT" && url?.startsWith("/files/") === true

const asset = ok(MediaAsset)

/** The project and the name in a path; null where they cannot be decoded. A name with a slash is no path of ours. */
const readPath = ({ context }: RequestEvent) => {
  const [projectId, name] = [context.params?.["projectId"] ?? "", context.params?.["name"] ?? ""].map(percentDecode)
  return projectId === null || projectId === undefined || name === null || name === undefined || /[/\\]/.test(name)
    ? null
    : { projectId: projectId.toLowerCase(), name }
}

/** What answers under `filesPattern`, by method. */
export const makeFileResponders = (
  files: Files,
  readOrigin: OriginReader,
  databases: Databases,
): { readonly GET: Responder; readonly PUT: Responder } => ({
  GET: async (event, context) => {
    const path = readPath(event)
    if (path === null) return refuse(context, new NotFound())
    const found = await Effect.runPromiseExit(files.open(path.projectId, path.name), { signal: event.req.signal })
    if (Exit.isFailure(found)) return answerExit(context, Exit.failCause(found.cause), { databases })
    return (await serveFile(event, context, found.value)) ?? refuse(context, new NotFound())
  },
  PUT: async (event, context) => {
    const { req, url } = event
    const path = readPath(event) ?? { projectId: "", name: "" }
    const sent = files.receive(path.projectId, path.name, {
      grant: url.searchParams.get("upload") ?? "",
      content_type: req.headers.get("content-type"),
      length: readLength(req),
      body: readFileBody(req),
      origin: readOrigin(req.ip ?? "", req.headers, url),
    })
    return answerExit(context, await Effect.runPromiseExit(Effect.map(sent, (row) => asset.write(row, {}))), {
      databases,
    })
  },
})
