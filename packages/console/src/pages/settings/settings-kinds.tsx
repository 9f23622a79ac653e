import type { ControlProps, FieldIssue, FieldKind } from "../../parts/editor/field-kind.ts"
import { NoValue } from "../../parts/editor/field-kind.ts"
import { lines } from "../../parts/editor/kinds.tsx"
import { rowsKind } from "../../parts/editor/rows-kind.tsx"
import { limitedFeatures } from "./limited-features.ts"

/** Items are counted from 0, lines from 1. */
const ofLine = ({ path, message }: FieldIssue): FieldIssue => ({
  path: /^\d+$/.test(path) ? `line ${Number(path) + 1}` : path,
  message,
})

/** A list of texts, one on each line. */
export const oneOnALine: FieldKind = {
  toInput: (value) => (Array.isArray(value) ? value.join("\n") : ""),
  toValue: (input) =>
    String(input ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  show: (value) => lines.show(Array.isArray(value) ? value.join(", ") : value),
  Control: (props: ControlProps) => <lines.Control {...props} issues={props.issues.map(ofLine)} />,
}

const limitRows = rowsKind(
  [
    { name: "feature", label: "Feature", choices: limitedFeatures },
    { name: "per_minute", label: "Per minute", isNumber: true, isOptional: true },
    { name: "per_day", label: "Per day", isNumber: true, isOptional: true },
  ],
  "limit",
)

interface LimitRow {
  readonly feature: string
  readonly per_minute: unknown
  readonly per_day: unknown
}

const rowsOf = (value: unknown) =>
  Object.entries((value ?? {}) as Readonly<Record<string, object>>).map(([feature, limit]) => ({ feature, ...limit }))

/** How often a user may write, by feature: a row for each. */
export const limits: FieldKind = {
  ...limitRows,
  toInput: (value) => limitRows.toInput(rowsOf(value)),
  toValue: (input, inputs) => {
    const rows = limitRows.toValue(input, inputs) as ReadonlyArray<LimitRow>
    const features = rows.map(({ feature }) => feature.trim())
    if (features.includes("")) throw new NoValue("needs a feature in every row")
    const twice = features.find((feature, at) => features.indexOf(feature) !== at)
    if (twice !== undefined) throw new NoValue(`has ${twice} twice`)
    return Object.fromEntries(rows.map(({ per_minute, per_day }, at) => [features[at], { per_minute, per_day }]))
  },
  show: (value) => limitRows.show(rowsOf(value)),
}
