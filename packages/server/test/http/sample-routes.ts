import { failure, NotFound, Text, Timestamp, text, withDefault } from "@hearth/core"
import { Effect, Schema } from "effect"
import { digits, flag, paging } from "../../src/http/request/query.ts"
import {
  created,
  type Download,
  deleted,
  download,
  json,
  listOf,
  noContent,
  ok,
  pageOf,
  redirect,
  upserted,
} from "../../src/http/response/answers.ts"
import { defineRoutes } from "../../src/http/routing/route.ts"

export class NoteExists extends failure("NoteExists", "conflict", "NOTE_EXISTS", "The note is there already.") {}
class InvalidId extends failure("InvalidId", "invalid", "INVALID_ID", "The id must be a uuid.") {}
class InvalidSince extends failure("InvalidSince", "invalid", "INVALID_SINCE", "since must be an instant.") {}
class InvalidBody extends failure("InvalidBody", "invalid", "INVALID_BODY", "The body is not valid.") {}
export class Busy extends failure("Busy", "unavailable", "BUSY", "Too much is going on.") {}

export const Note = Schema.Struct({ id: Schema.String, title: Schema.String, at: Timestamp }).annotate({
  identifier: "Note",
})
export type Note = typeof Note.Type

const NewNote = Schema.Struct({
  title: Text.check(Schema.isMinLength(1)),
  stars: withDefault(Schema.Int, 0),
  tags: Schema.optionalKey(Schema.Array(Text)),
}).annotate({ identifier: "NewNote" })

const NoteChanges = Schema.Struct({ title: Schema.optionalKey(Text) }).annotate({ identifier: "NoteChanges" })

/** The core of the sample routes. It records its calls. */
export interface SampleCore {
  readonly calls: Array<unknown>
  /** Records `given` and results in a note with a field that no schema names. */
  readonly note: (given: unknown) => Effect.Effect<Note, NotFound | NoteExists>
  readonly trouble: (kind: string) => Effect.Effect<Note, NotFound | Busy>
  /** Records `given` and results in its title. Fails for the title "missing" and for the host nobody.test. */
  readonly visit: (given: {
    readonly title: string
    readonly [more: string]: unknown
  }) => Effect.Effect<string, NotFound>
  /** A file of one line, or one without end. */
  readonly file: (endless: boolean) => Effect.Effect<Download>
}

const route = defineRoutes<SampleCore>()
const inProject = "/admin/projects/:projectId/notes"

/** Routes of every kind, for tests. */
export const sampleRoutes = [
  route("POST", inProject, {
    id: "notes.create",
    summary: "Adds a note",
    description: "It adds a note, for tests.",
    access: "developer",
    headers: { "Idempotency-Key": Schema.optionalKey(text(1, 8)) },
    body: NewNote,
    invalid: InvalidBody,
    errors: [NoteExists, NotFound],
    returns: created(Note),
    fault: "CREATE_FAILED",
    run: ({ core, params, headers, body, caller }) =>
      core.note({ project: params.projectId, ...headers, ...body, role: caller.role }),
  }),
  route("GET", inProject, {
    id: "notes.list",
    summary: "Lists the notes",
    description: "It lists the notes, for tests.",
    access: "developer",
    query: { ...paging(), starred: Schema.optionalKey(flag), search: Schema.optionalKey(Text) },
    errors: [NotFound, NoteExists],
    returns: pageOf(Note),
    run: ({ core, query }) => Effect.map(core.note(query), (note) => ({ rows: [note], total: 7 })),
  }),
  route("GET", `${inProject}/count`, {
    id: "notes.count",
    summary: "Counts the notes",
    description: "It counts the notes, for tests.",
    access: "developer",
    query: { since: Timestamp, days: digits(1, 90).pipe(Schema.withDecodingDefaultKey(Effect.succeed("7"))) },
    malformed: { since: InvalidSince },
    errors: [NotFound, NoteExists],
    returns: json(Schema.Struct({ count: Schema.Int })),
    run: ({ core, query }) => Effect.as(core.note(query), { count: query.days }),
  }),
  route("PATCH", `${inProject}/:noteId`, {
    id: "notes.update",
    summary: "Changes a note",
    description: "It changes a note, for tests.",
    access: "developer",
    body: NoteChanges,
    optionalBody: true,
    errors: [NotFound, NoteExists],
    returns: ok(Note),
    run: ({ core, params, body }) => core.note({ id: params.noteId, ...body }),
  }),
  route("PUT", `${inProject}/:noteId`, {
    id: "notes.replace",
    summary: "Writes a note",
    description: "It writes a note, for tests.",
    access: "developer",
    role: "owner",
    body: NewNote,
    errors: [NotFound, NoteExists],
    returns: upserted(Note),
    run: ({ core, body }) => Effect.map(core.note(body), (row) => ({ created: body.stars === 5, row })),
  }),
  route("DELETE", `${inProject}/:noteId`, {
    id: "notes.delete",
    summary: "Removes a note",
    description: "It removes a note, for tests.",
    access: "developer",
    errors: [NotFound, NoteExists],
    returns: deleted,
    run: ({ core, params }) => core.note(params),
  }),
  route("DELETE", "/admin/notes", {
    id: "notes.clear",
    summary: "Removes everything",
    description: "It removes everything, for tests.",
    access: "developer",
    errors: [NotFound, NoteExists],
    returns: noContent,
    run: ({ core, caller }) => core.note(caller),
  }),
  route("GET", "/client/notes/:noteId", {
    id: "client.notes.get",
    summary: "Shows a note",
    description: "It shows a note, for tests.",
    access: "client",
    malformed: { noteId: InvalidId, since: InvalidSince },
    query: { since: Schema.optionalKey(Timestamp) },
    errors: [NotFound, NoteExists],
    returns: ok(Note),
    run: ({ core, params, caller }) => core.note({ ...params, ...caller }),
  }),
  route("POST", "/client/notes", {
    id: "client.notes.send",
    summary: "Sends notes of any form",
    description: "It sends notes of any form, for tests.",
    access: "client-key",
    body: "json",
    bodyShape: Schema.Array(NewNote),
    bodyLimit: 1024 * 1024,
    errors: [NotFound, NoteExists],
    returns: listOf(Note),
    run: ({ core, body, caller }) => Effect.map(core.note({ body, ...caller }), (note) => [note]),
  }),
  route("GET", "/client/export", {
    id: "client.export",
    summary: "Exports the notes",
    description: "It exports the notes, for tests.",
    access: "client",
    query: { endless: Schema.optionalKey(flag) },
    returns: download("text/csv; charset=utf-8"),
    run: ({ core, query }) => core.file(query.endless === true),
  }),
  route("GET", "/client/trouble/:kind", {
    id: "client.trouble.get",
    summary: "Fails",
    description: "It fails, for tests.",
    access: "client",
    params: { kind: Text },
    errors: [NotFound, Busy],
    fault: "FETCH_FAILED",
    returns: ok(Note),
    run: ({ core, params }) => core.trouble(params.kind),
  }),
  route("POST", "/client/trouble/:kind", {
    id: "client.trouble.write",
    summary: "Fails to write",
    description: "It fails to write, for tests.",
    access: "client-key",
    params: { kind: Text },
    errors: [NotFound, Busy],
    returns: ok(Note),
    run: ({ core, params }) => core.trouble(params.kind),
  }),
  route("GET", "/client/links/:title", {
    id: "client.links.open",
    summary: "Leads to where a note is",
    description: "It leads to where a note is, for tests.",
    access: "client-key",
    params: { title: Text },
    errors: [NotFound],
    returns: redirect(),
    fault: "VISIT_FAILED",
    run: ({ core, params }) => core.visit(params),
  }),
  route("GET", "/n/:title", {
    id: "links.open",
    base: "root",
    summary: "Leads to a note of the host",
    description: "It leads to a note of the host, for tests.",
    access: "public",
    params: { title: Text },
    errors: [NotFound],
    returns: redirect(),
    run: ({ core, params, host, method }) => core.visit({ ...params, host, method }),
  }),
  route("GET", "/n/:projectId/:title", {
    id: "links.openOfProject",
    base: "root",
    summary: "Leads to a note of a project",
    description: "It leads to a note of a project, for tests.",
    access: "public",
    params: { title: Text },
    errors: [NotFound],
    returns: redirect(),
    run: ({ core, params }) => core.visit(params),
  }),
  route("GET", "/.well-known/notes", {
    id: "links.describe",
    base: "root",
    summary: "Describes the notes of the host, in the form that others prescribe",
    description: "It describes the notes of the host, in the form that others prescribe, for tests.",
    access: "public",
    errors: [NotFound],
    returns: json(Schema.Struct({ notes: Schema.Array(Schema.String) })),
    run: ({ core, host, header }) =>
      Effect.map(core.visit({ title: "all", host, agent: header("user-agent") }), (title) => ({ notes: [title] })),
  }),
  route("POST", "/auth/notes/login", {
    id: "auth.notes.login",
    summary: "Signs in",
    description: "It signs in, for tests.",
    access: "public",
    limits: [{ points: 3, seconds: 60 }],
    body: NewNote,
    errors: [NotFound, NoteExists],
    returns: json(Schema.Struct({ data: Note, next_cursor: Schema.NullOr(Schema.String) })),
    run: ({ core, address }) => Effect.map(core.note({ address }), (data) => ({ data, next_cursor: null })),
  }),
  route("POST", "/webhooks/notes", {
    id: "webhooks.notes",
    summary: "Takes a provider's note",
    description: "It takes a provider's note, for tests.",
    access: "webhook",
    body: "raw",
    bodyLimit: 1024,
    errors: [NotFound, NoteExists],
    returns: ok(Note),
    run: ({ core, body, header }) =>
      core.note({ signature: header("x-signature"), length: body.bytes.length, json: body.json() }),
  }),
]

/** The same, grouped as a service groups them. */
export const sampleGroups = [{ title: "Notes", description: "Notes of any kind.", routes: sampleRoutes }]
