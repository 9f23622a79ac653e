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
      const known = watching.get(projectId) ?? new Set()
      watching.set(projectId, known.add(wake))
      return () => {
        known.delete(wake)
        if (known.size === 0) watching.delete(projectId)
      }
    },
    tell: (projectId) => {
      for (const wake of watching.get(projectId) ?? []) wake()
    },
    watchers: (projectId) => watching.get(projectId)?.size ?? 0,
  }
}
