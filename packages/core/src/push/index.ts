export type { PushDb } from "./port.ts"
export { PushToken } from "./push-token.ts"
export { pushTokensSection } from "./sections.ts"
