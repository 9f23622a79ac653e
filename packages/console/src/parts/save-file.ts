/** Where a file goes, piece by piece. */
interface Place {
  write(piece: Uint8Array<ArrayBuffer>): Promise<void> | void
  close(): Promise<void> | void
  abort(): Promise<void> | void
}

/** What browsers have that can write a file while it arrives. */
interface WithPicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<{ createWritable(): Promise<Place> }>
}

/** Collects the pieces, and gives them to the browser as one file at the end. */
const collect = (name: string): Place => {
  let pieces: Array<Uint8Array<ArrayBuffer>> = []
  return {
    write: (piece) => void pieces.push(piece),
    close: () => {
      const address = URL.createObjectURL(new Blob(pieces))
      const link = document.createElement("a")
      link.href = address
      link.download = name
      link.click()
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    abort: () => {
      pieces = []
    },
  }
}

/** Asks where to save a file; null where nothing is chosen. In memory where the browser cannot write files. */
const choosePlace = async (suggestedName: string): Promise<Place | null> => {
  const { showSaveFilePicker } = window as WithPicker
  if (showSaveFilePicker === undefined) return collect(suggestedName)
  try {
    return await (await showSaveFilePicker.call(window, { suggestedName })).createWritable()
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null
    throw error
  }
}

/**
 * Writes the body of an answer to a file, as it arrives, and says how many bytes have come. A file that is stopped or broken off
 * is not kept. Answers false where no place was chosen; the answer is asked for only once there is one.
 */
export const saveFile = async (
  name: string,
  open: () => Promise<Response>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<boolean> => {
  const place = await choosePlace(name)
  if (place === null) return false
  try {
    const reader = (await open()).body?.getReader()
    let bytes = 0
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      signal.throwIfAborted()
      await place.write(piece.value)
      bytes += piece.value.byteLength
      onBytes(bytes)
    }
    await place.close()
    return true
  } catch (error) {
    await place.abort()
    throw error
  }
}
