const units = ["B", "kB", "MB", "GB", "TB"]

/** A number of bytes as people read it: `1.4 GB`. */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

/** How many of something there are, as people say it: `1 project`, `3 projects`. `many` is for words without a plain s. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** How many files of media there are. */
export const formatFiles = (count: number): string => formatCount(count, "file of media", "files of media")
