/** An event of a stream. */
export interface ReceivedEvent {
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
  readonly id: string | null
}

/** A stream that is listened to. */
export interface Listening {
  readonly response: Response
  /** What has come so far. */
  readonly events: ReadonlyArray<ReceivedEvent>
  /** Waits for the first event that fits, among those that came already too. Rejects where the stream ends before. */
  waitFor(fits: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>
  /** Waits for the first event of a name. */
  named(name: string): Promise<ReceivedEvent>
  /** The id from which to read on. */
  lastId(): string
  /** Waits until the service ends it. */
  readonly ended: Promise<void>
  /** Hangs up. */
  close(): void
}

const parseBlock = (block: string): ReceivedEvent & { readonly seenId: string | null } => {
  const field = (name: string) => block.split("\n").find((line) => line.startsWith(`${name}: `))
  const value = (name: string) => field(name)?.slice(name.length + 2) ?? null
  const data = value("data")
  const id = value("id")
  return { name: value("event") ?? "", data: data === null ? {} : JSON.parse(data), id, seenId: id }
}

/** Listens to a stream. */
export const listenTo = async (url: string, headers: Readonly<Record<string, string>>): Promise<Listening> => {
  const hangUp = new AbortController()
  const response = await fetch(url, { headers, signal: hangUp.signal })
  const events: Array<ReceivedEvent> = []
  const waiting = new Set<() => void>()
  let lastId = ""
  let hasEnded = false
  const read = async () => {
    const decoder = new TextDecoder()
    let text = ""
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const { seenId, ...event } = parseBlock(block)
        if (seenId !== null) lastId = seenId
        if (event.name !== "") events.push(event)
      }
      for (const look of waiting) look()
    }
  }
  const ended = read()
    .catch(() => {})
    .then(() => {
      hasEnded = true
      for (const look of waiting) look()
    })
  const waitFor = (fits: (event: ReceivedEvent) => boolean) =>
    new Promise<ReceivedEvent>((resolve, reject) => {
      const look = () => {
        const found = events.find(fits)
        if (found === undefined && !hasEnded) return
        waiting.delete(look)
        if (found === undefined) reject(new Error(`The stream has ended with ${JSON.stringify(events)}.`))
        else resolve(found)
      }
      waiting.add(look)
      look()
    })
  return {
    ...{ response, events, waitFor, ended, lastId: () => lastId },
    named: (name) => waitFor((event) => event.name === name),
    close: () => hangUp.abort(),
  }
}
