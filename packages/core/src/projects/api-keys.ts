import { Effect, Schema, Struct } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { partial } from "../schema.ts"
import { checkCaller } from "./check-role.ts"
import type { ProjectsDb } from "./port.ts"
import { ApiKey, type ApiKeyRow } from "./records.ts"

/** The fields with which a client key is created. */
export const NewApiKey = Schema.Struct(partial(Struct.pick(ApiKey.fields, ["name"]))).annotate({
  identifier: "NewApiKey",
})

/** A new client key: `pk_` and 32 base62 characters [C3]. */
export const newApiKey = (
  { clock, ids }: Pick<Ports, "clock" | "ids">,
  projectId: string,
  name: string | null,
): ApiKeyRow => ({
  id: ids.uuid(),
  project_id: projectId,
  name,
  key: `pk_${ids.base62(32)}`,
  created_at: clock.now(),
})

/** The client keys of a project. They are publishable: an app carries one in its binary [C3]. */
export const makeApiKeys = (ports: Pick<Ports<unknown, ProjectsDb>, "clock" | "control" | "ids" | "revocations">) => ({
  /** Creates another client key of a project; its `key` is what apps send. `FORBIDDEN` by the caller's role [B2]. */
  create: Effect.fn("apiKeys.create")(function* (projectId: string, callerId: string, input: typeof NewApiKey.Type) {
    const key = newApiKey(ports, projectId, input.name ?? null)
    yield* ports.control.transact((db) =>
      Effect.andThen(checkCaller(db, projectId, callerId), Effect.orDie(db.apiKeys.insert(key))),
    )
    return key
  }),

  /** The client keys of a project in full, the newest first [C3]. */
  list: (projectId: string, slice: Slice) =>
    ports.control.read((db) => db.apiKeys.page({ project_id: projectId }, [["created_at", "desc"]], slice)),

  /**
   * Revokes a key: it stops working at once here, and within a second on other nodes. Does nothing for an unknown key. `FORBIDDEN` by the
   * caller's role [B2].
   */
  revoke: (projectId: string, callerId: string, keyId: string) =>
    ports.control
      .transact((db) =>
        Effect.andThen(checkCaller(db, projectId, callerId), db.apiKeys.remove({ id: keyId, project_id: projectId })),
      )
      // Also when it failed: the answer to a commit can be lost.
      .pipe(Effect.ensuring(ports.revocations.announce([projectId]))),
})
