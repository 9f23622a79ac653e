import { isIP } from "node:net"
import {
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

/** A storage that speaks S3. */
export interface OpenS3 {
  readonly storage: RemoteStorage
  close(): void
}

// As many as one call removes.
const keysPerCall = 1_000
// Callers wait for it, so it is given up before they do.
const timeouts = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true }

const isMissing = (error: unknown) =>
  error instanceof Error &&
  "$metadata" in error &&
  (error.$metadata as { httpStatusCode?: number }).httpStatusCode === 404

const inGroups = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

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
    forcePathStyle: pathStyle,
    maxAttempts: 2,
    requestHandler: timeouts,
    // Other servers than Amazon's often do not know the newer checksums, and browsers do not send them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  })
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

  const removeKeys = async (keys: ReadonlyArray<string>) => {
    for (const group of inGroups(keys, keysPerCall)) {
      const Objects = group.map((Key) => ({ Key }))
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
      )
      if (Errors.length > 0) throw new Error(`${Errors.length} files could not be removed: ${Errors[0]?.Code}`)
    }
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
    remove: (paths) => use(() => removeKeys(paths.map(keyOf))),
    removeProject: (projectId) =>
      use(async () => {
        for (;;) {
          const { Contents = [], IsTruncated } = await client.send(
            new ListObjectsV2Command({ Bucket: bucket, Prefix: keyOf(`${projectId}/`) }),
          )
          await removeKeys(Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key])))
          if (IsTruncated !== true) return
        }
      }),
  }
  return { storage, close: () => client.destroy() }
}
