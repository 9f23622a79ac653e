export { backingSettings, Port, WebAddress } from "./backing.ts"
export { readRetention, retentionSettings } from "./retention.ts"
export {
  type Environment,
  environmentExample,
  optional,
  readSettings,
  type Setting,
  type Settings,
  type ValuesOf,
  withDefault,
} from "./settings.ts"
