export { certificate } from "./certificate.ts"
export { type MailServer, type MailServerOptions, startMailServer, urlOf, urlWithLogin } from "./mail-server.ts"
export { startTricklingServer } from "./trickling-server.ts"
