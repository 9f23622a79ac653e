import { api } from "../api.ts"
import { projectPages } from "../pages/index.ts"

/** Something that the search can lead to. */
export interface PaletteItem {
  /** Where it leads to, within the project. */
  readonly value: string
  readonly label: string
  readonly kind: string
}

// A project has tens of definitions, seldom hundreds.
const most = 200

interface Named {
  readonly id: string
  readonly name: string
}

type Path = { readonly projectId: string }

const readers = (path: Path) => {
  const params = { path, query: { limit: most } }
  const lists: ReadonlyArray<readonly [kind: string, folder: string, () => Promise<{ data: ReadonlyArray<Named> }>]> = [
    ["Segment", "segments", () => api.GET("/admin/projects/{projectId}/segments", { params })],
    ["Achievement", "achievements", () => api.GET("/admin/projects/{projectId}/achievements", { params })],
    ["Streak", "streaks", () => api.GET("/admin/projects/{projectId}/streaks", { params })],
    ["Leaderboard", "leaderboards", () => api.GET("/admin/projects/{projectId}/leaderboards", { params })],
    ["Store", "stores", () => api.GET("/admin/projects/{projectId}/stores", { params })],
    ["Library", "libraries", () => api.GET("/admin/projects/{projectId}/content/libraries", { params })],
    ["Group", "groups", () => api.GET("/admin/projects/{projectId}/groups", { params })],
    ["Campaign", "campaigns", () => api.GET("/admin/projects/{projectId}/push/campaigns", { params })],
  ]
  return lists
}

/** The page of one of a kind, or the list of its kind; null where the console has neither. */
const findPage = (folder: string, id: string): string | null => {
  if (projectPages.some(({ path }) => path.startsWith(`${folder}/:`) && path.split("/").length === 2)) {
    return `${folder}/${id}`
  }
  return projectPages.some(({ path }) => path === folder) ? folder : null
}

/** What the project is made of, by name. A kind that cannot be read is left out. */
export const findDefinitions = async (path: Path): Promise<ReadonlyArray<PaletteItem>> => {
  const kinds = readers(path).filter(([, folder]) => findPage(folder, "") !== null)
  const found = await Promise.allSettled(kinds.map(([, , read]) => read()))
  return found.flatMap((answer, at) => {
    const [kind = "", folder = ""] = kinds[at] ?? []
    if (answer.status === "rejected") return []
    return answer.value.data.map(({ id, name }) => ({ value: findPage(folder, id) ?? folder, label: name, kind }))
  })
}
