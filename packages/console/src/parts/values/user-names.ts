import { api } from "../../api.ts"
import { createQuery } from "../create-query.ts"

// As many as the service answers at once.
const most = 100
// So long the rows of a list come one after another.
const gatherMillis = 10

interface Batch {
  readonly ids: Set<string>
  readonly names: Promise<ReadonlyMap<string, string>>
}

const batches = new Map<string, Batch>()

const begin = (projectId: string): Batch => {
  const ids = new Set<string>()
  const read = async () => {
    await new Promise((resolve) => setTimeout(resolve, gatherMillis))
    if (batches.get(projectId)?.ids === ids) batches.delete(projectId)
    const { data } = await api.GET("/admin/projects/{projectId}/users", {
      params: { path: { projectId }, query: { ids: [...ids].join(), limit: most } },
    })
    return new Map(data.map(({ id, display_name, email }) => [id, display_name || email || id]))
  }
  return { ids, names: read() }
}

/** The name of a user, null where there is none; those of a list are asked for together. */
const readName = async (projectId: string, id: string): Promise<string | null> => {
  const open = batches.get(projectId)
  const batch = open !== undefined && open.ids.size < most ? open : begin(projectId)
  batches.set(projectId, batch)
  batch.ids.add(id)
  return (await batch.names).get(id) ?? null
}

/** What a user is called; null until it is known, and where nobody has this id. Nothing is asked for a null. */
export const createUserName = (projectId: () => string, id: () => string | null): (() => string | null) => {
  const found = createQuery(() => ({
    queryKey: ["users", projectId(), "name", id()],
    queryFn: () => readName(projectId(), id() ?? ""),
    enabled: id() !== null,
    staleTime: 60_000,
  }))
  return () => (found.isSuccess ? found.data : null)
}
