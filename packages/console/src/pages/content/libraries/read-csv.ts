/** A line of a CSV file, with the number under which an editor shows it. */
interface Line {
  readonly cells: ReadonlyArray<string>
  readonly number: number
}

/** The lines of a CSV file. What is in quotes may have commas, quotes (doubled) and line ends; null where a quote does not end. */
export const readCsv = (text: string): ReadonlyArray<Line> | null => {
  const lines: Array<Line> = []
  let cells: Array<string> = []
  let [number, begun, end] = [1, 1, 0]
  // A cell, and what ends it: each match is one.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n][^,\r\n]*)?)(,|\r?\n|\r|$)/y
  while (end < text.length || cells.length > 0) {
    cell.lastIndex = end
    const match = cell.exec(text)
    if (match === null) return null
    const [all, quoted, plain = "", ending] = match
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    number += all.split("\n").length - 1
    end = cell.lastIndex
    if (ending === ",") continue
    if (cells.some((each) => each !== "")) lines.push({ cells, number: begun })
    cells = []
    begun = number
  }
  return lines
}
