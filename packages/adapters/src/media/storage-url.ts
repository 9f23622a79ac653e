import { fileURLToPath } from "node:url"

/** A bucket, and how it is reached. */
export interface S3Address {
  readonly bucket: string
  /** What all keys begin with: empty, or with a slash at the end. */
  readonly prefix: string
  readonly region: string
  /** Without a slash at the end; null is Amazon's own. */
  readonly endpoint: string | null
  /** Null: those that the AWS SDK finds by itself, in the environment or of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  /** Whether the bucket is in the path and not in the host. */
  readonly pathStyle: boolean
  /** Where anybody finds the files, as with a CDN before the bucket; null is the bucket itself. */
  readonly publicUrl: string | null
}

/** What STORAGE_URL says: a folder, or a bucket. */
export type StorageAddress =
  | { readonly kind: "folder"; readonly folder: string }
  | ({ readonly kind: "s3" } & S3Address)

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const known = new Set(["region", "endpoint", "path_style", "public_url"])

const readWebAddress = (value: string | null): string | null | undefined => {
  if (value === null) return null
  return /^https?:$/.test(URL.parse(value)?.protocol ?? "") ? value.replace(/\/+$/, "") : undefined
}

const readBucket = (url: URL): StorageAddress | null => {
  const { hostname: bucket, username, password, searchParams: query } = url
  const [endpoint, publicUrl] = [readWebAddress(query.get("endpoint")), readWebAddress(query.get("public_url"))]
  const style = query.get("path_style") ?? "false"
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "")
  const isUnderstood =
    bucketPattern.test(bucket) &&
    endpoint !== undefined &&
    publicUrl !== undefined &&
    (username === "") === (password === "") &&
    /^(true|false)$/.test(style) &&
    path.length <= 200 &&
    [...query.keys()].every((name) => known.has(name))
  if (!isUnderstood) return null
  return {
    ...{ kind: "s3", bucket, prefix: path === "" ? "" : `${path}/`, region: query.get("region") ?? "us-east-1" },
    ...{ endpoint, publicUrl, pathStyle: style === "true" },
    credentials:
      username === ""
        ? null
        : { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
  }
}

/** Reads STORAGE_URL; null where it says nothing that can be used. */
export const parseStorageUrl = (text: string): StorageAddress | null => {
  const url = URL.parse(text)
  try {
    if (url?.protocol === "file:" && url.hostname === "") return { kind: "folder", folder: fileURLToPath(url) }
    return url?.protocol === "s3:" ? readBucket(url) : null
  } catch {
    // What is percent-encoded is no text.
    return null
  }
}
