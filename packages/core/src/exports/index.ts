export {
  type CellKind,
  type ExportColumn,
  type ExportColumns,
  ExportFormat,
  eventExportColumns,
  reviewExportColumns,
  userExportColumns,
} from "./columns.ts"
export type { ExportFile } from "./export-file.ts"
export { exportTypes, makeExports } from "./exports.ts"
export { InvalidUserId } from "./failures.ts"
export { jsonText } from "./json-text.ts"
export {
  csvCell,
  csvHeader,
  csvLine,
  type ExportRecord,
  failedSectionLine,
  jsonLine,
  lineIn,
  sectionLine,
} from "./lines.ts"
export type {
  ExportedEvents,
  ExportedReviews,
  ExportedUsers,
  Exports,
  ExportsDb,
  PageBudget,
  PageKey,
  TextPage,
} from "./port.ts"
export { UserRecords } from "./records.ts"
export type { ExportSection, SectionLinks, TableSection, ViewSection } from "./section.ts"
