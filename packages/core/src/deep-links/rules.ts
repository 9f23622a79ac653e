import { isWebAddress, parseAddress } from "../web-address.ts"

/** Where a link can be opened. */
export const platforms = ["ios", "android", "web", "unknown"] as const

// With these a link would run a program, read a file or open whatever an app says, instead of the project's own app.
const forbiddenSchemes = new Set([
  "http",
  "https",
  "javascript",
  "data",
  "file",
  "vbscript",
  "blob",
  "about",
  "intent",
  "content",
])

/** Whether a project may have this scheme for its app [I8.1]. */
export const isUrlScheme = (scheme: string): boolean =>
  /^[a-z][a-z0-9+.-]{1,31}$/.test(scheme) && !forbiddenSchemes.has(scheme)

/** Whether a link may lead to `value`: the web, or the project's own app by its scheme [I8.1]. */
export const mayPointTo = (value: string, urlScheme: string | null): boolean =>
  isWebAddress(value) || (urlScheme !== null && parseAddress(value)?.protocol === `${urlScheme}:`)

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)"
// A last label of digits would be part of an address.
const domainPattern = new RegExp(`^(${label}\\.)+(?!\\d+$)${label}$`)

/** Whether `value` is a domain as links have it: lower-case punycode with a dot, no port, no IP address [I8.2]. */
export const isDomain = (value: string): boolean => value.length <= 253 && domainPattern.test(value)

/** Whether a domain is one of the hosts of the service, or below one. */
export const isBelow = (domain: string, hosts: ReadonlyArray<string>): boolean =>
  hosts.some((host) => domain === host || domain.endsWith(`.${host}`))

/** The platform that a user agent names. A desktop browser is `web`. */
export const readPlatform = (agent: string): (typeof platforms)[number] => {
  if (/iPhone|iPad|iPod/.test(agent)) return "ios"
  if (/Android/.test(agent)) return "android"
  return /^(Mozilla|Opera)\//.test(agent) ? "web" : "unknown"
}

// Crawlers name themselves with one of these words; the others make the previews of messengers and social networks. Cubot is a phone.
const crawler =
  /(?<!cu)bot\b|crawl|spider|preview|facebookexternalhit|facebot|whatsapp|slack-imgproxy|embedly|vkshare|skypeuripreview|google-safety|mastodon|headlesschrome|lighthouse/i

/** Whether a visit is a person's: no crawler's, no preview's of a messenger, none ahead of time (`Sec-Purpose`) [I8.2, I8.4]. */
export const isPerson = (agent: string, purpose: string | null): boolean =>
  !crawler.test(agent) && !/prefetch|prerender|preview/i.test(purpose ?? "")

/** What Apple asks a domain for, so that its links open the app; null where the project has not said which app that is. */
export const describeAppleApp = ({
  ios_bundle_id,
  ios_team_id,
}: {
  readonly ios_bundle_id: string | null
  readonly ios_team_id: string | null
}) =>
  ios_bundle_id === null || ios_team_id === null
    ? null
    : {
        applinks: {
          apps: [],
          details: [
            {
              appID: `${ios_team_id}.${ios_bundle_id}`,
              appIDs: [`${ios_team_id}.${ios_bundle_id}`],
              paths: ["/l/*"],
              components: [{ "/": "/l/*" }],
            },
          ],
        },
      }

/** What Android asks a domain for; null where the project has not said which app it is and who signs it. */
export const describeAndroidApp = ({
  android_package_name,
  android_sha256_fingerprints,
}: {
  readonly android_package_name: string | null
  readonly android_sha256_fingerprints: ReadonlyArray<string> | null
}) =>
  android_package_name === null || android_sha256_fingerprints === null || android_sha256_fingerprints.length === 0
    ? null
    : [
        {
          relation: ["delegate_permission/common.handle_all_urls"],
          target: {
            namespace: "android_app",
            package_name: android_package_name,
            sha256_cert_fingerprints: android_sha256_fingerprints,
          },
        },
      ]
