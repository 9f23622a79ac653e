import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { isIP } from "node:net"
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { type RemoteStorage, StorageUnavailable } from "@hearth/core/media"
import { Effect } from "effect"
import type { S3Address } from "./storage-url.ts"

/** A file on this machine that is put into a bucket. */
interface SentFile {
  readonly file: string
  readonly mime_type: string
  readonly size_bytes: number
}

/** A storage that speaks S3. */
export interface OpenS3 {
  readonly storage: RemoteStorage
  /** Puts a file there, also where one has its path. Rejects where that is not possible, and when it is aborted. */
  send(path: string, file: SentFile, signal: AbortSignal): Promise<void>
  close(): void
}

// What goes wrong is told to the caller. Without a logger the SDK writes to the console.
const nothing = () => {}
const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
// As long as the service waits for a file of the same size.
const sendMillis = 60 * 60_000
// As many as one call removes.
const keysPerCall = 1_000
// Callers wait for it, so it is given up before they do.
const timeouts = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true }

const statusOf = (error: unknown): number =>
  error instanceof Error && "$metadata" in error
    ? ((error.$metadata as { httpStatusCode?: number }).httpStatusCode ?? 0)
    : 0
const isMissing = (error: unknown) => statusOf(error) === 404
const isRefused = (error: unknown) => statusOf(error) >= 400 && statusOf(error) < 500

const inGroups = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

// XML has no way to write these, so that a list with such a key is refused as a whole. Names of today have none of them.
const isWritable = (key: string) => !/[\uFFFE\uFFFF]/.test(key)

/** A key of a list that was asked for with its keys encoded. A server that does not know that has sent it as it is. */
const readKey = (key: string, encoding: string | undefined) =>
  encoding === "url" ? decodeURIComponent(key.replaceAll("+", " ")) : key

/** `Content-MD5` for lists of what is to be removed: many servers insist on it, and do not take a newer checksum instead. */
const sendMd5 = (client: S3Client) =>
  client.middlewareStack.add(
    (next, { commandName }) =>
      (call) => {
        const request = call.request as { readonly headers: Record<string, string>; readonly body?: string }
        if (commandName === "DeleteObjectsCommand" && request.body !== undefined) {
          for (const name of Object.keys(request.headers))
            if (/^x-amz-(sdk-)?checksum-/i.test(name)) delete request.headers[name]
          request.headers["content-md5"] = createHash("md5").update(request.body).digest("base64")
        }
        return next(call)
      },
    { step: "build", priority: "low" },
  )

const encodeKey = (key: string) => key.split("/").map(encodeURIComponent).join("/")

/** Where anybody finds what is in the bucket: the address that is configured, else that of the bucket itself. */
const publicBase = ({ publicUrl, endpoint, bucket, region, pathStyle }: S3Address): string => {
  if (publicUrl !== null) return publicUrl
  if (endpoint === null) return `https://${bucket}.s3.${region}.amazonaws.com`
  const url = new URL(endpoint)
  // An IP address has no names below it: the SDK names the bucket in the path there, too.
  const isAddress = isIP(url.hostname.replace(/^\[(.*)\]$/, "$1")) !== 0
  return pathStyle || isAddress ? `${endpoint}/${bucket}` : `${url.protocol}//${bucket}.${url.host}`
}

/** Opens a bucket [I7.2]. Nothing is connected until it is used. `onFault` is called with what went wrong, for the log. */
export const openS3 = (address: S3Address, onFault: (cause: unknown) => void): OpenS3 => {
  const { bucket, prefix, region, endpoint, credentials, pathStyle } = address
  const client = new S3Client({
    region,
    logger,
    forcePathStyle: pathStyle,
    maxAttempts: 2,
    requestHandler: timeouts,
    // Other servers than Amazon's often do not know the newer checksums, and browsers do not send them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  })
  sendMd5(client)
  const base = publicBase(address)
  // Where the SDK sends what is signed: the bucket may be in the host, or not.
  const uploads = client.config.endpointProvider({
    ...{ Bucket: bucket, Region: region, ForcePathStyle: pathStyle },
    ...(endpoint === null ? {} : { Endpoint: endpoint }),
  })
  const keyOf = (path: string) => `${prefix}${path}`

  const use = <A>(work: () => Promise<A>): Effect.Effect<A, StorageUnavailable> =>
    Effect.tryPromise({
      try: work,
      catch: (cause) => {
        onFault(cause)
        return new StorageUnavailable()
      },
    })

  const removeTogether = async (keys: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const Objects = keys.map((Key) => ({ Key }))
    const call = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })
    const { Errors = [] } = await client.send(call)
    // Some servers name what is not there.
    const refused = Errors.filter(({ Code }) => Code !== "NoSuchKey")
    if (refused.length === 0) return []
    const fault = new Error(`${refused.length} files could not be removed: ${refused[0]?.Code}`)
    const kept = new Set(refused.map(({ Key }) => Key))
    const named = keys.filter((key) => kept.has(key))
    if (named.length < kept.size) throw fault
    onFault(fault)
    return named
  }

  const removeAlone = async (Key: string): Promise<ReadonlyArray<string>> => {
    try {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
    } catch (error) {
      if (!isRefused(error)) throw error
      onFault(error)
      return [Key]
    }
    return []
  }

  /** Removes files, and answers those that are kept. */
  const removeKeys = async (keys: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const kept: Array<string> = []
    for (const group of inGroups(keys.filter(isWritable), keysPerCall)) kept.push(...(await removeTogether(group)))
    for (const key of keys.filter((each) => !isWritable(each))) kept.push(...(await removeAlone(key)))
    return kept
  }

  const listKeys = async (projectId: string) => {
    const { Contents = [], EncodingType } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: keyOf(`${projectId}/`), EncodingType: "url" }),
    )
    return Contents.flatMap(({ Key }) => (Key === undefined ? [] : [readKey(Key, EncodingType)]))
  }

  const storage: RemoteStorage = {
    kind: "remote",
    address: (path) => `${base}/${encodeKey(keyOf(path))}`,
    origins: [...new Set([uploads.url.origin, new URL(base).origin])],
    presign: ({ path, mime_type, size_bytes, seconds }) =>
      use(() =>
        getSignedUrl(
          client,
          new PutObjectCommand({
            ...{ Bucket: bucket, Key: keyOf(path), ContentType: mime_type },
            ...{ ContentLength: size_bytes, IfNoneMatch: "*" },
          }),
          {
            expiresIn: seconds,
            signableHeaders: new Set(["content-type", "content-length", "if-none-match", "host"]),
            unhoistableHeaders: new Set(["if-none-match"]),
          },
        ),
      ),
    find: (path) =>
      use(async () => {
        try {
          const { ContentLength = 0 } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(path) }))
          return { size_bytes: ContentLength }
        } catch (error) {
          if (isMissing(error)) return null
          throw error
        }
      }),
    remove: (paths) => use(async () => (await removeKeys(paths.map(keyOf))).map((key) => key.slice(prefix.length))),
    removeProject: (projectId) =>
      use(async () => {
        let before: string | undefined
        for (let keys = await listKeys(projectId); keys.length > 0; keys = await listKeys(projectId)) {
          if (keys[0] === before) throw new Error("Files that were removed are there still.")
          before = keys[0]
          const kept = await removeKeys(keys)
          if (kept.length > 0) throw new Error(`${kept.length} files are kept.`)
        }
      }),
  }
  const sendOnce = async (path: string, { file, mime_type, size_bytes }: SentFile, signal: AbortSignal) => {
    const Body = createReadStream(file)
    try {
      await client.send(
        new PutObjectCommand({
          ...{ Bucket: bucket, Key: keyOf(path), Body },
          ...{ ContentType: mime_type, ContentLength: size_bytes },
        }),
        { abortSignal: signal, requestTimeout: sendMillis },
      )
    } finally {
      Body.destroy()
    }
  }
  // The SDK tries no stream again.
  const send = (path: string, file: SentFile, signal: AbortSignal) =>
    sendOnce(path, file, signal).catch((error) => {
      if (signal.aborted || isRefused(error)) throw error
      return sendOnce(path, file, signal)
    })
  return { storage, send, close: () => client.destroy() }
}
