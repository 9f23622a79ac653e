export type { InputRule } from "./rules.ts"
export { inputRules } from "./use-cases.ts"
export { type WithInputs, withInputs } from "./with-inputs.ts"
