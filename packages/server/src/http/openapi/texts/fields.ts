import { fieldsFromAToL } from "./fields-a-l.ts"
import { fieldsFromMToZ } from "./fields-m-z.ts"

/** What the fields of records are: by `Record.field` where one is another thing than its name says elsewhere, else by its name. */
export const fieldTexts: Readonly<Record<string, string>> = {
  ...fieldsFromAToL,
  ...fieldsFromMToZ,
  "DeveloperSignup.password": "The password of the new account.",
  "HourCount.events": "How many events there were.",
  "HourCount.users": "How many users did them.",
  "LinkRequest.token": "The identity token of the provider.",
  "MagicLinkVerification.token": "The token of the link that was mailed.",
  "OwnGroup.groups": "The group.",
  "OwnXp.total": "The XP that the caller has.",
  "PaywallWebhook.event": "What happened.",
  "RefusedCall.caller":
    "`app`: with a client key of the project. `developer`: a member. `unknown`: nobody whose credential told that they belong to it.",
  "RefusedCall.code": "The code of the error.",
  "RefusedCall.count": "How many calls it were since `first_at`.",
  "RefusedCall.message": "What the last of them was told, without anything that it has sent.",
  "RefusedCall.path": "The route, with the names of its parameters.",
  "RefusedCall.status": "The HTTP status.",
  "Review.rating": "How good it is, from 1 to 5.",
  "NewReview.rating": "How good it is, from 1 to 5.",
  "SocialSignIn.token": "The identity token of the provider.",
  "StreakTimelinePeriod.period": "The first day of the period.",
  "UserXp.total": "The XP that the user has.",
}
