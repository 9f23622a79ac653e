import type { Duplex } from "node:stream"

/**
 * Has an answer that cannot be read cost its connection. The driver reads in a listener of the socket: what it throws there, as
 * where something between it and the server mixes up bytes, would end the process.
 */
export const closeWhereUnreadable = (stream: Duplex): void => {
  for (const listener of stream.listeners("data")) {
    const read = listener as (bytes: Buffer) => void
    stream.on("data", (bytes: Buffer) => {
      try {
        read(bytes)
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    })
    stream.off("data", read)
  }
}
