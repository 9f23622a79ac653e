/** How long an address for uploads can be used [I7.2]. */
export const addressMillis = 15 * 60_000

/** How long an upload may take that has begun in time. */
const uploadMillis = 60 * 60_000

/** After this nothing can arrive any more at the addresses of a file. */
export const arrivalMillis = addressMillis + uploadMillis

/** When the storage is asked for the first time whether a file is there [I7.3]. */
export const firstCheckMillis = 20 * 60_000

/** After this a file that is not there is given up [I7.3]. */
export const pendingMillis = 24 * 60 * 60_000

/** The most files of a user, and the most bytes of them together [I0.2]. */
export const userQuota = { assets: 1_000, bytes: 1024 ** 3 }

/** What a project may store. */
export interface MediaLimits {
  /** The most bytes of a file: MEDIA_MAX_BYTES. */
  readonly maxBytes: number
  /** The most bytes of all files of a project: MEDIA_QUOTA_BYTES. */
  readonly quotaBytes: number
}

/** 100 MB a file and 10 GB a project [I7.1, I0.2]. */
export const defaultMediaLimits: MediaLimits = { maxBytes: 100 * 1024 ** 2, quotaBytes: 10 * 1024 ** 3 }

// Control and format characters (those that turn the direction of text around among them), separators of lines and of paths, and what
// is no character: XML, in which S3 is told of keys, cannot write all of those.
const unwanted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}/\\]/gu

/**
 * A file name that is only a name: each separator, control or format character and noncharacter becomes `_`, and so do leading
 * dots. It has as many characters as before [I7.1].
 */
export const cleanFilename = (name: string): string =>
  name.replace(unwanted, "_").replace(/^\.+/, (dots) => "_".repeat(dots.length))

const token = "[a-z0-9][a-z0-9!#$&^_.+-]{0,126}"
const mimePattern = new RegExp(`^${token}/${token}$`, "i")

/** Whether `value` is a media type without parameters [I7.1]. */
export const isMimeType = (value: string): boolean => mimePattern.test(value)

/** The media type that a `Content-Type` header names, in lower case and without its parameters; null where there is none. */
export const readMimeType = (header: string | null): string | null => {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? ""
  return isMimeType(type) ? type : null
}

// Browsers read any type that ends so as a document, whose scripts they run.
const isXml = (mimeType: string): boolean => /\+xml$/i.test(mimeType)

/** Whether users may upload this type: images but SVG, videos, sounds [I7.3]. */
export const isClientType = (mimeType: string): boolean =>
  /^(image\/(?!svg)|video\/|audio\/)/i.test(mimeType) && !isXml(mimeType)

/** Whether a browser may show a file of this type, and not only save it [I7.2]. */
export const isInline = (mimeType: string): boolean =>
  /^(image\/(png|jpeg|gif|webp|avif)|video\/.+|audio\/.+|text\/plain)$/.test(mimeType) && !isXml(mimeType)

/** Where the storage has a file (spec: media). */
export const storagePath = (projectId: string, millis: number, filename: string): string =>
  `${projectId}/${millis}_${filename}`
