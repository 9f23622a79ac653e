import { HearthError } from "@hearth/client"

/** A file on its way to the storage. */
export interface Sending {
  /** Where it is sent to: this service, or its storage elsewhere. */
  readonly url: string
  readonly file: File
  readonly type: string
  readonly signal: AbortSignal
  readonly onSent: (bytes: number) => void
}

// An address of this service has what it allows in its query. It may name another host, under which others reach the service.
const toOwn = (url: string): string => {
  const { origin, pathname, search, searchParams } = new URL(url)
  return searchParams.has("upload") ? `${location.origin}${pathname}${search}` : `${origin}${pathname}${search}`
}

const readAnswer = (request: XMLHttpRequest): HearthError => {
  const requestId = request.getResponseHeader("x-request-id")
  try {
    const { code, message } = JSON.parse(request.responseText).error
    return new HearthError(code, message, { status: request.status, requestId })
  } catch {
    const message = `The storage has answered ${request.status}, and not taken the file.`
    return new HearthError("UNKNOWN_ANSWER", message, { status: request.status, requestId })
  }
}

/** Sends a file with PUT, and says how much of it has gone. `fetch` cannot say that. Rejects with the reason of the signal, too. */
export const sendFile = ({ url, file, type, signal, onSent }: Sending): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const own = toOwn(url)
    const stop = () => request.abort()
    signal.addEventListener("abort", stop, { once: true })
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () => (request.status >= 200 && request.status < 300 ? resolve() : reject(readAnswer(request)))
    request.onerror = () =>
      reject(
        new HearthError(
          "NETWORK_ERROR",
          own.startsWith(location.origin)
            ? "The file did not arrive: the connection broke."
            : `The file did not arrive: the connection broke, or the rules of ${new URL(own).host} for other pages (CORS) do not allow PUT from ${location.origin}.`,
        ),
      )
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener("abort", stop)
    request.open("PUT", own)
    request.setRequestHeader("content-type", type)
    // The storage elsewhere was asked to sign that there is no such file yet.
    if (!own.startsWith(location.origin)) request.setRequestHeader("if-none-match", "*")
    request.send(file)
  })
