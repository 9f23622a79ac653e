import type { News } from "@hearth/core"

/** News in memory: every process hears at once of what is committed. */
export interface MemoryNews extends News {
  /** Something was committed in a project. */
  tell(projectId: string): void
  /** How many listen to a project. */
  watchers(projectId: string): number
}

/** The news of an installation. */
export const memoryNews = (): MemoryNews => {
  const watching = new Map<string, Set<() => void>>()
  return {
    watch: (projectId, wake) => {
      const id = projectId.toLowerCase()
      const known = watching.get(id) ?? new Set()
      const each = () => wake()
      watching.set(id, known.add(each))
      return () => {
        known.delete(each)
        if (known.size === 0 && watching.get(id) === known) watching.delete(id)
      }
    },
    tell: (projectId) => {
      const known = watching.get(projectId.toLowerCase())
      // Who begins to watch while others are woken is not told of what was before.
      for (const each of [...(known ?? [])]) if (known?.has(each)) each()
    },
    watchers: (projectId) => watching.get(projectId.toLowerCase())?.size ?? 0,
  }
}
