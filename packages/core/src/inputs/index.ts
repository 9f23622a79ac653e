export type { InputRule } from "./rules.ts"
export { inputRules } from "./use-cases.ts"
export { withInputs } from "./with-inputs.ts"
