import { HearthError } from "@hearth/client"
import type { Definition, ProjectPath } from "./definition.ts"

// As many as the service lists at once.
const most = 1_000

type Readable<Row extends { readonly id: string }> = Pick<Definition<Row, never, never>, "list" | "noun"> & {
  readonly read?: ((path: ProjectPath, id: string, signal?: AbortSignal) => Promise<Row>) | undefined
}

/** One of a sort: by its own route, or looked for in the list, page by page, of what there are few of. */
export const readOne = async <Row extends { readonly id: string }>(
  definition: Readable<Row>,
  path: ProjectPath,
  id: string,
  signal?: AbortSignal,
): Promise<Row> => {
  if (definition.read !== undefined) return definition.read(path, id, signal)
  for (let offset = 0; ; offset += most) {
    const { data, total } = await definition.list(path, { limit: most, offset }, signal)
    const found = data.find((row) => row.id === id)
    if (found !== undefined) return found
    if (offset + most >= total)
      throw new HearthError("NOT_FOUND", `There is no such ${definition.noun}.`, { status: 404 })
  }
}
