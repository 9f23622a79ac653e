export type { PushDb } from "./port.ts"
export { PushToken } from "./push-token.ts"
