import { randomUUID } from "node:crypto"
import type { News } from "@hearth/core"
import { readSaid, type Said, writeSaid } from "./payloads.ts"

/** What news need of the control database. */
export interface NewsParts {
  /** Sends notifications. */
  readonly notify: (payloads: ReadonlyArray<string>) => Promise<void>
}

/** The news of one process. */
export interface OpenNews extends News {
  /** Something was committed in a project. Costs next to nothing where nobody listens. */
  committed(projectId: string): void
  /** Another process has said something, or this one itself. */
  hear(payload: string): void
  /** What was said before now may not have been heard. */
  heardAgain(): void
  /** How many projects other processes listen to. */
  asked(): number
  close(): void
}

// Many commits become one notification, and one read of each stream.
const gatherMillis = 75
// Who listens says so this often; it is believed for two and a half times as long, so that one loss changes nothing.
const repeatMillis = 30_000
const believedMillis = 75_000

/** Tells processes of commits by NOTIFY on the control database, of those projects alone that somebody listens to. */
export const openNews = ({ notify }: NewsParts): OpenNews => {
  const self = randomUUID()
  const watching = new Map<string, Set<() => void>>()
  /** Until when other processes are believed to listen. */
  const wanted = new Map<string, number>()
  const changed = new Set<string>()
  let gathering: NodeJS.Timeout | undefined
  let repeating: NodeJS.Timeout | undefined

  // What is lost is found by who listens, within seconds.
  const say = (word: Said["word"], projects: ReadonlyArray<string>) => {
    const payloads = writeSaid({ word, from: self, projects })
    if (payloads.length > 0) void notify(payloads).catch(() => {})
  }
  const wake = (projectId: string) => {
    const known = watching.get(projectId)
    // Who begins to watch while others are woken is not told of what was before.
    for (const each of [...(known ?? [])]) if (known?.has(each)) each()
  }
  const flush = () => {
    gathering = undefined
    const now = performance.now()
    for (const [id, until] of wanted) if (until < now) wanted.delete(id)
    const projects = [...changed]
    changed.clear()
    for (const id of projects) wake(id)
    say(
      "news",
      projects.filter((id) => wanted.has(id)),
    )
  }
  const repeat = () => say("watching", [...watching.keys()])

  return {
    watch: (projectId, wakeUp) => {
      const id = projectId.toLowerCase()
      const known = watching.get(id) ?? new Set()
      const each = () => wakeUp()
      watching.set(id, known.add(each))
      if (known.size === 1) say("watching", [id])
      repeating ??= setInterval(repeat, repeatMillis).unref()
      return () => {
        known.delete(each)
        if (known.size === 0 && watching.get(id) === known) watching.delete(id)
        if (watching.size > 0) return
        clearInterval(repeating)
        repeating = undefined
      }
    },
    committed: (projectId) => {
      if (wanted.size === 0 && watching.size === 0) return
      const id = projectId.toLowerCase()
      if (!wanted.has(id) && !watching.has(id)) return
      changed.add(id)
      gathering ??= setTimeout(flush, gatherMillis).unref()
    },
    hear: (payload) => {
      const said = readSaid(payload)
      if (said === null || said.from === self) return
      if (said.word === "who") repeat()
      else if (said.word === "news") for (const id of said.projects) wake(id)
      else for (const id of said.projects) wanted.set(id, performance.now() + believedMillis)
    },
    heardAgain: () => {
      say("who", [])
      repeat()
      for (const id of [...watching.keys()]) wake(id)
    },
    asked: () => wanted.size,
    close: () => {
      clearTimeout(gathering)
      clearInterval(repeating)
    },
  }
}
