const queueAgain = "Send it again in a minute; operators look at the queue with `hearth doctor` if it stays"
const readAgain = "Send it again in a moment; report the `request_id` if it stays"
const writeAgain =
  "Read what there is now before sending it again: whether the change was made is not certain; report the `request_id` if it stays"
const keyedAgain =
  "Send it again with the same idempotency key, so that it counts once; report the `request_id` if it stays"
const instant = "Send an instant with its zone, as `2026-03-01T12:00:00Z`; the address needs `+` written as `%2B`"
const uuid = "Send the `id` that the service has answered, a uuid, not a name or a key"

/**
 * What a caller does about each code, for `docs/errors.md` and for the log of refused calls. A code that means something else under another status has a text under both, as
 * `BATCH_TOO_LARGE 413`. Documents and routes are compared with it by a test: no code without a text, no text without a code.
 */
export const remedies: Readonly<Record<string, string>> = {
  ADD_LISTING_FAILED: writeAgain,
  ALREADY_COMPLETED:
    "Nothing: the flow is over for this user. Read `GET /client/onboarding/flows` for those that are open",
  ALREADY_LISTED: "Change the listing that exists with `PATCH`, or remove it first",
  ALREADY_REDEEMED: "Nothing: a user redeems one code in all. Do not offer the field again",
  ALREADY_REVERSED: "Nothing: the reversal is in the list of transactions",
  ALREADY_REVIEWED: "Change the review that exists with `PATCH /client/reviews/:reviewId`",
  ALREADY_SCHEDULED: "Change its time with `PATCH`, or cancel it and send it again",
  ALREADY_SENT: "Make a new campaign; this one can only be read",
  ALREADY_UPLOADED: "Nothing, where it was this file: complete the asset. For another file ask for a new upload",
  AUDIENCE_NOT_CONFIGURED:
    "Set `bundle_id` (idp_a) or `oauth_client_id` (idp_b) of the project, `PATCH /admin/projects/:projectId`",
  "BATCH_TOO_LARGE 400": "Send at most `details.limit` users in one call, and the others in further calls",
  "BATCH_TOO_LARGE 413": "Send at most `details.limit` events in one call, and the others in further calls",
  BLOCKED: "Hide the action: one of the two users has to take the block back first",
  BULK_FAILED:
    "Read the library first: either all items were added or none; send the batch again only if they are missing",
  BULK_UPDATE_FAILED: "Send the same batch again: properties and memberships that are there already stay as they are",
  CODE_EXHAUSTED: "Ask for another code; developers raise its `max_uses` or make a new one",
  CODE_EXISTS: "Choose another code, or use the one that exists",
  CODE_INACTIVE: "Ask for another code; developers switch it on with `PATCH`",
  CODE_NOT_FOUND: "Check the spelling of the code with the user",
  CONFLICTING_SCHEDULE:
    "Send `scheduled_at` with `delivery_mode` absolute, or `local_date` and `local_time` with local_time",
  CONTENT_REJECTED: "Let the user write another text: a moderation rule of the project refuses this one",
  COUNT_FAILED: readAgain,
  CREATE_FAILED:
    "Look whether it was made before sending it again, or send it with the same idempotency key; report the `request_id` if it stays",
  CURRENCY_NOT_ACCEPTED: "Offer one of the currencies in `prices` of the listing",
  CURRENCY_NOT_FOUND: "Use the `code` of a currency that the project has; `GET …/currencies` lists them",
  DELETE_FAILED: "Send it again: what is removed already stays removed",
  DEVELOPER_NOT_FOUND:
    "Let the developer sign up first, and add the email of that account; `GET …/members` has the ids of members",
  DOMAIN_TAKEN: "Use another domain, or take this one out of the other project's deep links",
  EMAIL_EXISTS:
    "Sign in with this email instead, or choose another; leave `session_token` out where its user has an account",
  EMPTY_UPDATE: "Send at least one of the fields that the message names",
  EMPTY_UPDATES: "Put something into `properties`, `add_segment_ids` or `remove_segment_ids`",
  EVALUATE_FAILED: queueAgain,
  EXPECTATION_FAILED: "Leave the header `Expect` out",
  EXPORT_FAILED: readAgain,
  EXTERNAL_ID_EXISTS: "Find the user who has it, `GET …/users?search=`, and change that one first",
  FETCH_FAILED: readAgain,
  FIRE_AT_IN_PAST: "Send a later `fire_at`; compare your clock with the header `Date` of the answer",
  FORBIDDEN:
    "Call it as somebody who may: the message says which role is needed, and that the project is not among yours",
  GRANT_FAILED: keyedAgain,
  GROUP_FULL: "Offer another group, or raise `max_members` of this one",
  HEADERS_TOO_LARGE: "Send fewer or shorter headers; the address counts among them",
  IDEMPOTENCY_KEY_REUSED: "Use a new key for a new call; a retry sends exactly the body of the first try",
  IDENTITY_ALREADY_LINKED: "Sign in with this identity instead: it has an account of its own",
  INACTIVE: "Switch it on with `PATCH` and `is_active` first",
  INSUFFICIENT_BALANCE: "Read the balance again and offer what it pays for",
  INSUFFICIENT_QUANTITY: "Read the inventory again and use at most what there is",
  INTERNAL_ERROR:
    "Send it again later, with the same `event_id` or idempotency key where it has one; report the `request_id` if it stays",
  INVALID_AMOUNT: "Send a number, not text, with at most 4 decimals, within what `details.issues` names",
  INVALID_APP_USER_ID:
    "Send the `id` of a user of this project as `app_user_id`; events of a batch that name others are in `details.issues`",
  INVALID_AT: instant,
  INVALID_BODY: "Correct what the message and `details.issues` name",
  INVALID_CAMPAIGN_ID: uuid,
  INVALID_COUNT: "Send a whole number of at least 1",
  INVALID_CREDENTIALS: "Let the user type email and password again, or sign in by magic link; too many tries are 429",
  INVALID_CRITERIA:
    "Correct the node at the path in `details.issues`; [progress.md](progress.md) has the forms of criteria",
  INVALID_CURSOR: "Begin again without `cursor`, and send `next_cursor` of an answer unchanged, with the same filters",
  INVALID_DATA: "Send an object, or leave `data` out",
  INVALID_DELIVERY_MODE: "Send `absolute` or `local_time`, or leave it out",
  INVALID_EVENT:
    'Send an object, or `{"events": […]}` with objects; `properties` is an object too. `details.issues` lists all faults of a batch, each with its own code',
  INVALID_EVENT_ID: "Send text of 1 to 255 characters, a new uuid for each event, or leave it out",
  INVALID_EVENT_NAME:
    "Send a name of 1 to 255 characters; names of the platform (`xp_awarded`, `session_started`, `paywall_…`, `subscription_…`) and of `server_events` are sent by your server",
  INVALID_FILTER: "Send a uuid as `user_id` and a name as `event_name`, or leave them out",
  INVALID_FIRE_AT: instant,
  INVALID_ID: uuid,
  INVALID_INPUT:
    "Correct what the message and `details.issues` name; `X-Ignored-Keys` names keys that may be misspelled",
  INVALID_JSON: "Send a JSON object; the message says in which line and column the text stops being JSON",
  INVALID_LIMIT: "Send a whole number from 1 to 1000 as `limit`, and read on with `offset` or the cursor",
  INVALID_LOCAL_DATE: "Send a day that exists, as `2026-03-01`",
  INVALID_LOCAL_TIME: "Send a time of day, as `18:30`",
  INVALID_OCCURRED_AT:
    "Send an instant with its zone; correct the device's clock by the header `Date` of the answer; events that are too old for apps are sent by your server",
  INVALID_OFFSET: "Send a whole number of at least 0 as `offset`",
  INVALID_RANGE: "Send `since` before `until`",
  INVALID_RATING: "Send a whole number from 1 to 5",
  INVALID_RATING_MAX: "Send a whole number from 1 to 5, or leave it out",
  INVALID_RATING_MIN: "Send a whole number from 1 to 5, or leave it out",
  INVALID_REWARD: "Correct what `details.issues` names; [economy.md](economy.md) has the parts of a reward",
  INVALID_RULES:
    "Correct the rules at the paths in `details.issues`; [segments.md](segments.md) has all fields and operators",
  INVALID_RULE_CONFIG:
    "Correct what `details.issues` names; [moderation.md](moderation.md) has the config of each type of rule",
  INVALID_SCHEDULED_AT: instant,
  INVALID_SCHEDULE_CONFIG: "Correct `type`, `cron` or `timezone` as the message says; `details.issues` names the field",
  INVALID_SEGMENT_ID: "Use the id of a segment of this project; `GET …/segments` lists them",
  INVALID_SESSION: "Sign in without `session_token`, or refresh the session first",
  INVALID_SIGNATURE:
    "Compare the secret at the provider with that of the project; sign the bytes of the body as they are sent, before any parsing",
  INVALID_SINCE: instant,
  INVALID_TIMEZONE:
    "Send a name like `Europe/Berlin`; browsers and phones have it in `Intl.DateTimeFormat().resolvedOptions().timeZone`",
  INVALID_TOKEN:
    "Refresh the session once with its refresh token, then send the call again; if that is refused too, sign in again. The message says what is wrong with the token",
  INVALID_UNTIL: instant,
  INVALID_USER_ID: uuid,
  INVALID_USER_IDS: "Send `user_ids` as an array of text",
  INVALID_UUID: "Correct the ids at the paths in `details.issues`",
  INVITE_NOT_FOUND: "Ask for a new invite: this one has ended, was used up, or is misspelled",
  ITEM_IN_USE: "Take the item from sale with `is_active` false instead of removing it",
  JOIN_FAILED: "Send it again: who is a member already stays one",
  KEY_EXISTS: "Choose another `key`, or change the one that exists with `PATCH`",
  LAST_OWNER: "Make another member owner first",
  LEAVE_FAILED: "Send it again: who has left already stays away",
  LIMIT_REACHED: "Remove some that are not needed: there may be `details.limit` of them",
  LINK_FAILED: "Send it again: an identity that is linked already stays linked",
  LIST_FAILED: readAgain,
  LOGIN_FAILED: readAgain,
  LOGOUT_FAILED: "Forget the tokens on the device, and send it again",
  MAU_CAP_EXCEEDED:
    "Raise `mau_cap` of the project, or wait for the next month; users who were active this month are not affected",
  MESSAGE_REJECTED: "Let the user write another message: a moderation rule of the project refuses this one",
  METHOD_NOT_ALLOWED: "Use a method that `Allow` names",
  MISSING_BODY: "Send `body`, the text of the push",
  MISSING_PROJECT: "Put `?project_id=` with the id of the project into the address that the provider calls",
  MISSING_PROVIDER: "Send `provider` with the `device_token`: push_a or push_b",
  MISSING_SINCE: "Send `since`, an instant at most 90 days before `until`",
  MISSING_TARGET: "Send `app_user_id`, or `device_token` with `provider`",
  MISSING_TITLE: "Send `title`, the first line of the push",
  MISSING_USER_IDS: "Name at least one user in `user_ids`",
  NOTHING_TO_DELIVER: "Add an item to the library, or switch one on",
  NOT_AVAILABLE: "Read the listings again and offer what is on sale now",
  NOT_CONFIGURED:
    "Set up the provider, `PUT /admin/projects/:projectId/integrations/:provider`, before it sends webhooks",
  NOT_ELIGIBLE: "Hide the offer: it is for users of a segment, or for new users only",
  NOT_FOUND:
    "Look at what exists, which the lists of this feature show: what was removed, or is another project's, is not found. Where the path itself is unknown, the message names the nearest",
  NOT_PARTICIPANT: "Leave the conversation out of the list: the user was removed from it or has left",
  NOT_PUBLIC: "Join with an invite instead, `POST /client/groups/join`",
  NOT_REVERSIBLE: "Grant or spend the difference instead",
  NOT_STARTED: "Start the flow first, `POST /client/onboarding/:flowId/start`",
  NO_ACTIVE_TOKEN: "Let the app register its device first, `POST /client/push/tokens`",
  NO_TOKEN: "Send the token that the device was given by its provider, or name an `app_user_id` instead",
  OWNER_CANNOT_LEAVE: "Give another member the group first, or delete it",
  PAYLOAD_TOO_LARGE: "Send less in one call: `details.limit` is the most, in bytes",
  PROPERTIES_TOO_LARGE:
    "Store less: `details.max_bytes` is for all properties of a user together; a key can be set to null, which is small",
  PURCHASE_LIMIT_REACHED: "Hide the offer: the user has bought it as often as it may be bought",
  PUSH_FAILED:
    "With `details.invalid_token` the device has to register again; otherwise check the credentials of the push provider",
  PUSH_TEST_FAILED: readAgain,
  QUOTA_EXCEEDED: "Remove some that are not needed, or ask for more: there may be `details.limit`",
  RANGE_TOO_LARGE: "Ask for at most `details.max_days` days at a time, and add up",
  RATE_LIMIT_EXCEEDED:
    "Wait for `Retry-After`, then send it again; `RateLimit-*` of earlier answers says how much is left",
  REFRESH_FAILED: "Send it again with the same refresh token",
  REQUEST_TIMEOUT: "Send it again over a better connection, or less in one call",
  RESCHEDULE_FAILED: "Make a new campaign when the queue is back; operators look at it with `hearth doctor`",
  SCHEDULED_AT_IN_PAST:
    "Send a later time, or leave it out to send at once; compare your clock with the header `Date` of the answer",
  SCHEDULE_DELETE_FAILED: queueAgain,
  SCHEDULE_FAILED: queueAgain,
  SCHEDULE_UPDATE_FAILED: queueAgain,
  SELF_REFERRAL: "Use the code of somebody else, who was not referred by this user",
  "SEND_FAILED 500":
    "Make a new campaign when the queue is back: this one is failed. Operators look at the queue with `hearth doctor`",
  "SEND_FAILED 502": "Set up the credentials of the push provider, or try again where it does not answer",
  SERVICE_UNAVAILABLE: "Wait for `Retry-After`, then send it again; writes with the same `event_id` or idempotency key",
  SLUG_EXISTS: "Choose another `slug`, or remove the link that has it",
  SOCIAL_LOGIN_FAILED: readAgain,
  STEP_OUT_OF_ORDER: "Go on at `details.current_step`, the index of the step that is next",
  STORAGE_UNAVAILABLE: "Send it again in a minute; operators look at the storage with `hearth doctor`",
  STREAK_DEFINITION_NOT_FOUND: "Use the id of a streak of this project; `GET …/streaks` lists them",
  SYSTEM_SEGMENT: "Make a segment of your own with the same rules and change that one",
  TENANT_BUSY: "Wait for `Retry-After`, then send it again: nothing was changed",
  TENANT_UNAVAILABLE:
    "Send it again in a minute; with `details.outcome` unknown a write may have been done: read first, or send the same `event_id` or idempotency key",
  TRACK_FAILED: "Send the same events again, with the same `event_id`s: nothing was recorded, and none counts twice",
  UNAUTHORIZED:
    "Send the credential that the message names: `X-Api-Key` for apps, `Authorization: Bearer` for users and developers",
  UNAVAILABLE: "Wait for `Retry-After`, then send it again: many sign in with passwords at once",
  UNKNOWN_PARAMETER:
    "Take `details.parameter` out of the address, or use `details.nearest`; `details.known` has all that this call takes",
  UNSUPPORTED_MEDIA_TYPE:
    "Send JSON in UTF-8 with `Content-Type: application/json` and without `Content-Encoding`; a file with the type that its upload was asked for",
  UNSUPPORTED_PROVIDER: "Link idp_a or idp_b; email is added by signing up with the session's token",
  "UPDATE_FAILED 404": "Start a new session, `POST /client/sessions/start`",
  "UPDATE_FAILED 500": writeAgain,
  UPSERT_FAILED: "Send it again: the same call twice leaves the same state",
  USER_NOT_FOUND: "Use the `id` of a user of this project; `GET …/users` finds them with `search`",
  USER_STREAK_NOT_FOUND: "Wait for the user's first qualifying event: the streak begins with it",
  VERIFY_FAILED: "Send the same token again, or ask for a new link",
  WEAK_PASSWORD: "Ask for a longer password; any 8 characters will do",
  WEBHOOK_PROCESSING_FAILED: "Nothing: the provider sends it again by itself",
}

/** What a caller does about a code under a status; null for a code that is not known. */
export const findRemedy = (code: string, status: number): string | null =>
  remedies[`${code} ${status}`] ?? remedies[code] ?? null
