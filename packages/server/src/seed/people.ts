/** A user of the example: where they live, how often they learn, and since when. */
export interface Person {
  readonly name: string
  readonly timezone: string
  /** In how many of ten days they do a lesson. */
  readonly habit: number
  /** How many days ago they came. */
  readonly since: number
  /** How many days ago they were last there. */
  readonly until: number
}

/** Some come every day, some now and then, two have stopped: there is something to see in every list. */
export const people: ReadonlyArray<Person> = [
  { name: "Ada", timezone: "Europe/London", habit: 10, since: 28, until: 0 },
  { name: "Bob", timezone: "America/New_York", habit: 8, since: 28, until: 0 },
  { name: "Chiara", timezone: "Europe/Rome", habit: 9, since: 27, until: 0 },
  { name: "Deniz", timezone: "Europe/Istanbul", habit: 7, since: 26, until: 0 },
  { name: "Emeka", timezone: "Africa/Lagos", habit: 10, since: 21, until: 0 },
  { name: "Freya", timezone: "Europe/Oslo", habit: 5, since: 25, until: 1 },
  { name: "Goro", timezone: "Asia/Tokyo", habit: 10, since: 14, until: 0 },
  { name: "Hana", timezone: "Asia/Seoul", habit: 6, since: 20, until: 0 },
  { name: "Ines", timezone: "America/Sao_Paulo", habit: 4, since: 24, until: 2 },
  { name: "Jonas", timezone: "Europe/Berlin", habit: 9, since: 28, until: 9 },
  { name: "Kiri", timezone: "Pacific/Auckland", habit: 3, since: 18, until: 0 },
  { name: "Liam", timezone: "Europe/Dublin", habit: 6, since: 28, until: 15 },
]

/** An event of the example's history. */
export interface PastEvent {
  readonly event_id: string
  readonly event_name: string
  readonly occurred_at: string
  readonly properties: Readonly<Record<string, unknown>>
  /** The name of the person. */
  readonly by: string
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
const makeChance = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const dayMillis = 86_400_000
const languages = ["Italian", "Turkish", "Japanese", "Portuguese"]
const mostLessons = 3

/** The history of all of them up to `now`, the oldest first. The same `now` makes the same history. */
export const makeHistory = (now: number): ReadonlyArray<PastEvent> => {
  const chance = makeChance(4_711)
  const events: Array<PastEvent> = []
  for (const [at, { name, habit, since, until }] of people.entries()) {
    for (let day = since; day >= until; day -= 1) {
      if (chance() * 10 >= habit) continue
      const lessons = 1 + Math.floor(chance() * mostLessons)
      for (let lesson = 0; lesson < lessons; lesson += 1) {
        const occurred = new Date(now - day * dayMillis - (lessons - lesson) * 240_000)
        const language = languages[at % languages.length]
        const score = 40 + Math.floor(chance() * 61)
        const common = { occurred_at: occurred.toISOString(), by: name }
        const id = `seed-${name}-${day}-${lesson}`
        events.push({ ...common, event_id: id, event_name: "lesson_completed", properties: { language } })
        if (score >= 70)
          events.push({
            ...common,
            event_id: `${id}-quiz`,
            event_name: "quiz_passed",
            properties: { language, score, quiz_id: `${language?.toLowerCase()}-${day}` },
          })
      }
    }
  }
  return events.sort((a, b) => a.occurred_at.localeCompare(b.occurred_at))
}
