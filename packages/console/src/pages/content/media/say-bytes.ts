const units = ["B", "KB", "MB", "GB"] as const

/** A number of bytes in a unit that one can read. */
export const sayBytes = (bytes: number): string => {
  const at = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${(bytes / 1_000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}
