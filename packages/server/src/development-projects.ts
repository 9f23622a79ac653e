import type { Ports } from "@hearth/core"
import { Effect, Option } from "effect"
import type { DevelopmentProject } from "./http/pages/development.ts"

const mostProjects = 20

/** Reads the newest projects with their client keys, or the project with an id, for the pages of development. */
export const readDevelopmentProjects =
  (control: Ports["control"]) =>
  (id: string | null): Promise<ReadonlyArray<DevelopmentProject>> =>
    Effect.runPromise(
      control.read((db) =>
        Effect.gen(function* () {
          const slice = { limit: mostProjects, offset: 0 }
          const rows =
            id === null
              ? (yield* db.projects.page({ is_ready: true }, [["created_at", "desc"]], slice)).rows
              : Option.toArray(yield* db.projects.find({ id, is_ready: true }))
          return yield* Effect.forEach(rows, ({ id: project_id, name, created_at }) =>
            Effect.map(db.apiKeys.list({ project_id }, [["created_at", "desc"]]), (keys) => ({
              ...{ id: project_id, name, created_at },
              keys: keys.map((each) => ({ name: each.name, key: each.key })),
            })),
          )
        }),
      ),
    )
