import { Effect, Option } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { checkCaller } from "../projects/check-role.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { makeConfigReader } from "./config.ts"
import type { Integration, IntegrationChanges, IntegrationProvider, IntegrationRow } from "./integration.ts"
import { hasSecret, mergeSettings, namesSecret, showConfig } from "./merge.ts"
import type { IntegrationsControlDb } from "./port.ts"
import { openSecrets, sealSecrets } from "./secrets.ts"

type Db = IntegrationsControlDb & ProjectsDb

/**
 * The integrations of projects [H1.1]. Secrets go in and are never answered [H1.2]. The caller's role is the one that holds under
 * the lock. `pushBUrl` is the server that stands in for FCM: service accounts may name its origin.
 */
export const makeIntegrations = (
  {
    clock,
    control,
    ids,
    revocations,
    secrets,
    signatures,
  }: Pick<Ports<unknown, Db>, "clock" | "control" | "ids" | "revocations" | "secrets" | "signatures">,
  pushBUrl: string | null,
) => {
  const readConfig = makeConfigReader(signatures, pushBUrl)

  const view = (row: IntegrationRow) =>
    Effect.map(
      openSecrets(secrets, row),
      (opened): Integration => ({
        ...{ provider: row.provider, is_active: row.is_active, updated_at: row.updated_at },
        has_secret: hasSecret(row.provider, opened),
        config: showConfig(row.provider, row.config),
      }),
    )

  /** The row of a provider, locked. */
  const lock = Effect.fnUntraced(function* (db: Db, project_id: string, provider: IntegrationProvider) {
    const found = Option.getOrUndefined(yield* db.integrations.find({ project_id, provider }))
    return found === undefined ? undefined : Option.getOrUndefined(yield* db.integrations.lock(found.id))
  })

  const change = Effect.fnUntraced(function* (
    row: IntegrationRow,
    { is_active = row.is_active, config = {} }: Pick<IntegrationChanges, "is_active" | "config">,
  ) {
    const opened = (yield* openSecrets(secrets, row)) ?? {}
    const merged = mergeSettings(row.provider, { config: row.config, secrets: opened }, config)
    // What cannot be read stays as it is until it is replaced: its key may come back.
    const isReplaced = namesSecret(row.provider, config)
    const sealed = isReplaced ? yield* sealSecrets(secrets, row, merged.secrets) : {}
    return { is_active, config: merged.config, ...sealed, version: row.version + 1, updated_at: clock.now() }
  })

  const write = Effect.fnUntraced(function* (
    db: Db,
    project_id: string,
    provider: IntegrationProvider,
    changes: IntegrationChanges,
  ) {
    // Of calls at once one makes the row: there may be none yet that could be locked.
    yield* db.projects.lock(project_id)
    const present = yield* lock(db, project_id, provider)
    const blank = { config: {}, sealed: null, sealed_with: null, version: 0, updated_at: clock.now() }
    const row = present ?? { ...blank, id: ids.uuid(), project_id, provider, is_active: true }
    const changed = { ...row, ...(yield* change(row, changes)) }
    if (present === undefined) yield* Effect.orDie(db.integrations.insert(changed))
    else yield* Effect.orDie(db.integrations.update(row.id, changed))
    return changed
  })

  /** Runs `work` for a caller who may change the project. What is remembered is forgotten, also where the answer is lost [B1]. */
  const asCaller = <A, E>(projectId: string, callerId: string, work: (db: Db) => Effect.Effect<A, E>) =>
    control
      .transact((db) => Effect.andThen(checkCaller(db, projectId, callerId), work(db)))
      .pipe(Effect.ensuring(revocations.announce([projectId])))

  return {
    /** The integrations that are set, by provider; secrets are never shown [H1.2]. */
    list: Effect.fn("integrations.list")(function* (projectId: string, slice: Slice) {
      const page = yield* control.read((db) =>
        db.integrations.page({ project_id: projectId }, [["provider", "asc"]], slice),
      )
      return { rows: yield* Effect.forEach(page.rows, view), total: page.total }
    }),

    /**
     * Sets what is given of an integration and makes it where it is not there; it is active unless that is said otherwise. Secrets are
     * sealed and never shown [H1.2]. `FORBIDDEN` by the caller's role [B2]; `INVALID_INPUT` for a `config` that the provider's has no
     * place for, or that is not whole.
     */
    put: Effect.fn("integrations.put")(function* (
      projectId: string,
      callerId: string,
      provider: IntegrationProvider,
      changes: IntegrationChanges,
    ) {
      const config = yield* Effect.fromResult(readConfig(provider, changes.config ?? {}))
      const row = yield* asCaller(projectId, callerId, (db) => write(db, projectId, provider, { ...changes, config }))
      return yield* view(row)
    }),

    /** Removes an integration with its secrets. Does nothing where there is none. `FORBIDDEN` by the caller's role [B2]. */
    remove: (projectId: string, callerId: string, provider: IntegrationProvider) =>
      asCaller(projectId, callerId, (db) => db.integrations.remove({ project_id: projectId, provider })),
  }
}
