export { BaseAddress, backingSettings, Port, wholeNumber } from "./backing.ts"
export { readEnvironment } from "./read-environment.ts"
export { readRetention, retentionSettings } from "./retention.ts"
export {
  choice,
  type Environment,
  environmentExample,
  hiding,
  isLeftOut,
  optional,
  readSettings,
  type Setting,
  type Settings,
  type ValuesOf,
  withDefault,
} from "./settings.ts"
