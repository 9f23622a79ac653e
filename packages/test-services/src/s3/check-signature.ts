import { createHmac, hash } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** The account of the server. */
export const account = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" }

const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Why a presigned request is refused, by the rules of Amazon's signature version 4: computed anew from what was sent. Null where it is
 * right, or where it is not presigned.
 */
export const findProblem = ({ method, url = "/", headers }: IncomingMessage, now: Date): string | null => {
  const { pathname, searchParams } = new URL(url, "http://s3")
  const given = searchParams.get("X-Amz-Signature")
  if (given === null) return null
  const [date = "", scope = ""] = [
    searchParams.get("X-Amz-Date") ?? "",
    (searchParams.get("X-Amz-Credential") ?? "").split("/").slice(1).join("/"),
  ]
  const signed = (searchParams.get("X-Amz-SignedHeaders") ?? "").split(";")
  const query = [...searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&")
  const lines = signed.map((name) => `${name}:${String(headers[name] ?? "").trim()}\n`).join("")
  const canonical = [method, pathname, query, lines, signed.join(";"), "UNSIGNED-PAYLOAD"].join("\n")
  const text = ["AWS4-HMAC-SHA256", date, scope, hash("sha256", canonical, "hex")].join("\n")
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${account.secretAccessKey}`)
  if (hmac(key, text).toString("hex") !== given) return "SignatureDoesNotMatch"
  const began = Date.parse(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, "$1-$2-$3T$4:$5:$6Z"))
  return now.getTime() > began + Number(searchParams.get("X-Amz-Expires")) * 1_000 ? "AccessDenied" : null
}
