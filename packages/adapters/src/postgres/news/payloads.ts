import { isUuid } from "@hearth/core"

/** The channel of the control database on which processes tell each other who listens to what, and what is new. */
export const newsChannel = "hearth_news"

const words = ["watching", "news", "who"] as const

/**
 * What a process says to the others: that somebody listens there to these projects, that something was committed in these, or that it
 * has just begun to hear and asks who listens.
 */
export interface Said {
  readonly word: (typeof words)[number]
  /** The id of the process. */
  readonly from: string
  readonly projects: ReadonlyArray<string>
}

// PostgreSQL takes fewer than 8,000 bytes in one notification; a uuid and a comma are 37.
const projectsAtOnce = 200

/** The notifications that say this: as few as fit. */
export const writeSaid = ({ word, from, projects }: Said): ReadonlyArray<string> => {
  if (word === "who") return [`who ${from} `]
  const payloads: Array<string> = []
  for (let at = 0; at < projects.length; at += projectsAtOnce)
    payloads.push(`${word} ${from} ${projects.slice(at, at + projectsAtOnce).join(",")}`)
  return payloads
}

/** Reads a notification; null for one of a later release. */
export const readSaid = (payload: string): Said | null => {
  const [said, from = "", list = "", more] = payload.split(" ")
  const word = words.find((each) => each === said)
  const projects = list === "" ? [] : list.split(",")
  if (word === undefined || more !== undefined || !isUuid(from) || !projects.every(isUuid)) return null
  return { word, from, projects }
}
