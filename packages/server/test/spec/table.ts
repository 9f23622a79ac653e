/**
 * The routes of this release as the spec has them: its endpoint tables and sections C and D of the decisions, copied by hand
 * so that a route cannot change without it. One line is one route: access, method and path, then what it has (`body`, `2MB` or `8MB` for
 * a large one, `raw` for one of 1 MB that may be any bytes, `paging`, `limits`, `owner` where no lesser role will do, `viewer` where
 * it will do for more than a GET, `root` where it is not below `/v1`), its statuses of success, and the errors that its table names.
 * What the general rules add to those is in `routes.test.ts`.
 */
export const specTable = `
client-key POST /client/auth/anonymous | | 201 | 500 CREATE_FAILED
client-key POST /client/auth/social | body | 200 | 400 AUDIENCE_NOT_CONFIGURED, 401 INVALID_TOKEN, 401 INVALID_SESSION, 404 NOT_FOUND, 500 SOCIAL_LOGIN_FAILED
client-key POST /client/auth/email/signup | body | 201 | 400 INVALID_INPUT, 400 CONTENT_REJECTED, 409 EMAIL_EXISTS, 500 CREATE_FAILED
client-key POST /client/auth/email/login | body | 200 | 400 INVALID_INPUT, 401 INVALID_CREDENTIALS, 500 LOGIN_FAILED
client-key POST /client/auth/magic-link/request | body limits | 200 | 400 INVALID_INPUT, 429 RATE_LIMIT_EXCEEDED
client-key POST /client/auth/magic-link/verify | body | 200 | 400 INVALID_INPUT, 401 INVALID_TOKEN, 402 MAU_CAP_EXCEEDED, 500 VERIFY_FAILED
client-key POST /client/auth/link | body | 200 | 400 UNSUPPORTED_PROVIDER, 400 AUDIENCE_NOT_CONFIGURED, 401 INVALID_SESSION, 401 INVALID_TOKEN, 403 FORBIDDEN, 404 NOT_FOUND, 409 IDENTITY_ALREADY_LINKED, 500 LINK_FAILED
client-key POST /client/auth/refresh | body | 200 | 400 INVALID_INPUT, 401 INVALID_TOKEN, 500 REFRESH_FAILED
client-key POST /client/auth/logout | body | 200 | 400 INVALID_INPUT, 500 LOGOUT_FAILED

client GET /client/auth/sessions | paging | 200 |
client DELETE /client/auth/sessions/:id | | 200 |

client GET /client/users/me | | 200 |
client PATCH /client/users/me | body | 200 | 400 INVALID_INPUT, 400 CONTENT_REJECTED, 400 INVALID_TIMEZONE, 400 PROPERTIES_TOO_LARGE
client DELETE /client/users/me | | 200 |
client POST /client/events | body 2MB | 200 | 400 INVALID_JSON, 400 INVALID_EVENT, 400 INVALID_APP_USER_ID, 400 INVALID_EVENT_NAME, 400 INVALID_OCCURRED_AT, 400 INVALID_EVENT_ID, 413 BATCH_TOO_LARGE, 500 TRACK_FAILED
client GET /client/streaks | paging | 200 |
client GET /client/leaderboards | paging | 200 | 400 INVALID_AT
client GET /client/leaderboards/:leaderboardId/entries | | 200 | 400 INVALID_AT, 404 NOT_FOUND
client POST /client/streaks/:streakId/qualify | body | 200 | 404 STREAK_DEFINITION_NOT_FOUND, 403 FORBIDDEN
client GET /client/streaks/:streakId/timeline | | 200 | 404 STREAK_DEFINITION_NOT_FOUND

public POST /auth/developer/signup | body limits | 201 | 400 INVALID_INPUT, 400 WEAK_PASSWORD, 409 EMAIL_EXISTS, 500 CREATE_FAILED
public POST /auth/developer/login | body limits | 200 | 400 INVALID_INPUT, 401 INVALID_CREDENTIALS, 500 LOGIN_FAILED
public POST /auth/developer/refresh | body limits | 200 | 400 INVALID_INPUT, 401 INVALID_TOKEN, 500 REFRESH_FAILED
public POST /auth/developer/logout | body | 200 | 400 INVALID_INPUT, 500 LOGOUT_FAILED
developer GET /auth/developer/me | | 200 | 401 UNAUTHORIZED, 404 NOT_FOUND, 500 FETCH_FAILED

developer POST /admin/projects | body | 201 | 400 INVALID_INPUT, 500 CREATE_FAILED
developer GET /admin/projects | paging | 200 |
developer GET /admin/projects/:projectId | | 200 |
developer PATCH /admin/projects/:projectId | body | 200 | 400 INVALID_INPUT
developer DELETE /admin/projects/:projectId | owner | 200 |
developer POST /admin/projects/:projectId/api-keys | body | 201 |
developer GET /admin/projects/:projectId/api-keys | paging | 200 |
developer DELETE /admin/projects/:projectId/api-keys/:keyId | | 200 |
developer GET /admin/projects/:projectId/members | paging | 200 |
developer POST /admin/projects/:projectId/members | body | 201 | 404 DEVELOPER_NOT_FOUND, 409 LAST_OWNER
developer PATCH /admin/projects/:projectId/members/:developerId | body | 200 | 404 DEVELOPER_NOT_FOUND, 409 LAST_OWNER
developer DELETE /admin/projects/:projectId/members/:developerId | | 200 | 404 DEVELOPER_NOT_FOUND, 409 LAST_OWNER
developer GET /admin/projects/:projectId/integrations | paging | 200 |
developer PUT /admin/projects/:projectId/integrations/:provider | body | 200 | 400 INVALID_INPUT
developer DELETE /admin/projects/:projectId/integrations/:provider | | 200 |
developer POST /admin/projects/:projectId/integrations/:provider/test | | 200 | 404 NOT_CONFIGURED, 429 RATE_LIMIT_EXCEEDED

developer GET /admin/projects/:projectId/users | paging | 200 | 400 INVALID_CURSOR, 500 LIST_FAILED
developer GET /admin/projects/:projectId/users/:userId | | 200 | 404 NOT_FOUND, 500 FETCH_FAILED
developer PATCH /admin/projects/:projectId/users/:userId | body | 200 | 400 INVALID_TIMEZONE, 404 NOT_FOUND, 409 EXTERNAL_ID_EXISTS, 500 UPDATE_FAILED
developer GET /admin/projects/:projectId/users/:userId/events | paging | 200 | 500 LIST_FAILED
developer GET /admin/projects/:projectId/users/export | | 200 | 400 INVALID_SINCE, 502 TENANT_UNAVAILABLE
developer GET /admin/projects/:projectId/users/:userId/events/export | | 200 | 400 INVALID_SINCE, 400 INVALID_UNTIL, 400 INVALID_USER_ID, 404 NOT_FOUND, 500 FETCH_FAILED
developer GET /admin/projects/:projectId/users/:userId/sessions | paging | 200 | 404 NOT_FOUND, 500 LIST_FAILED
developer GET /admin/projects/:projectId/users/:userId/records/:section | | 200 | 400 INVALID_CURSOR, 400 INVALID_USER_ID, 404 NOT_FOUND, 500 LIST_FAILED
developer GET /admin/projects/:projectId/users/:userId/export | | 200 | 400 INVALID_USER_ID, 404 NOT_FOUND, 500 EXPORT_FAILED, 502 TENANT_UNAVAILABLE
developer POST /admin/projects/:projectId/users/bulk-update | body 2MB | 200 | 400 INVALID_BODY, 400 MISSING_USER_IDS, 400 INVALID_USER_IDS, 400 BATCH_TOO_LARGE, 400 EMPTY_UPDATES, 400 INVALID_UUID, 403 SYSTEM_SEGMENT, 404 NOT_FOUND, 500 BULK_UPDATE_FAILED
developer POST /admin/projects/:projectId/users/:userId/entitlements | body | 200 201 | 400 INVALID_INPUT, 404 NOT_FOUND
developer GET /admin/projects/:projectId/events | | 200 | 400 INVALID_SINCE, 400 INVALID_UNTIL, 400 INVALID_LIMIT, 400 INVALID_CURSOR, 400 INVALID_FILTER, 500 LIST_FAILED
developer GET /admin/projects/:projectId/events/count | | 200 | 400 MISSING_SINCE, 400 INVALID_SINCE, 400 INVALID_UNTIL, 400 RANGE_TOO_LARGE, 400 INVALID_RANGE, 500 COUNT_FAILED
developer POST /admin/projects/:projectId/events | body 2MB | 200 | 400 INVALID_JSON, 400 INVALID_EVENT, 400 INVALID_APP_USER_ID, 400 INVALID_EVENT_NAME, 400 INVALID_OCCURRED_AT, 400 INVALID_EVENT_ID, 413 BATCH_TOO_LARGE, 500 TRACK_FAILED
developer POST /admin/projects/:projectId/streaks | body | 201 |
developer GET /admin/projects/:projectId/streaks | paging | 200 |
developer PATCH /admin/projects/:projectId/streaks/:streakId | body | 200 | 404 NOT_FOUND, 500 UPDATE_FAILED
developer DELETE /admin/projects/:projectId/streaks/:streakId | | 200 |
developer POST /admin/projects/:projectId/leaderboards | body | 201 | 400 INVALID_INPUT, 409 LIMIT_REACHED
developer GET /admin/projects/:projectId/leaderboards | paging | 200 |
developer GET /admin/projects/:projectId/leaderboards/:leaderboardId | | 200 | 404 NOT_FOUND
developer PATCH /admin/projects/:projectId/leaderboards/:leaderboardId | body | 200 | 400 INVALID_INPUT, 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/leaderboards/:leaderboardId | | 200 |
developer GET /admin/projects/:projectId/leaderboards/:leaderboardId/entries | paging | 200 | 400 INVALID_CURSOR, 400 INVALID_AT, 404 NOT_FOUND
developer POST /admin/projects/:projectId/leaderboards/:leaderboardId/rebuild | | 200 | 404 NOT_FOUND
developer POST /admin/projects/:projectId/users/:userId/streaks/:streakDefinitionId/grant-shield | body | 200 | 400 INVALID_COUNT, 400 INVALID_ID, 404 STREAK_DEFINITION_NOT_FOUND, 404 USER_STREAK_NOT_FOUND
developer GET /admin/projects/:projectId/users/:userId/streaks/:streakDefinitionId/timeline | | 200 | 404 NOT_FOUND, 404 STREAK_DEFINITION_NOT_FOUND, 404 USER_STREAK_NOT_FOUND
developer POST /admin/projects/:projectId/segments | body | 201 | 400 INVALID_RULES, 400 INVALID_INPUT, 500 CREATE_FAILED
developer GET /admin/projects/:projectId/segments | paging | 200 |
developer GET /admin/projects/:projectId/segments/:segmentId | | 200 | 404 NOT_FOUND
developer PATCH /admin/projects/:projectId/segments/:segmentId | body | 200 | 400 INVALID_RULES, 403 SYSTEM_SEGMENT, 404 NOT_FOUND, 500 UPDATE_FAILED
developer DELETE /admin/projects/:projectId/segments/:segmentId | | 200 | 403 SYSTEM_SEGMENT, 500 DELETE_FAILED
developer POST /admin/projects/:projectId/segments/:segmentId/evaluate | | 200 | 404 NOT_FOUND, 500 EVALUATE_FAILED
developer POST /admin/projects/:projectId/segments/preview | body viewer | 200 | 400 INVALID_RULES
developer GET /admin/projects/:projectId/segments/:segmentId/explain/:userId | | 200 | 400 INVALID_RULES, 404 NOT_FOUND

client POST /client/push/tokens | body | 201 | 400 INVALID_INPUT
client DELETE /client/push/tokens/:token | | 200 |
client POST /client/push/receipts | body | 200 | 400 INVALID_INPUT, 404 NOT_FOUND
developer GET /admin/projects/:projectId/push/campaigns/:campaignId/deliveries | paging | 200 | 400 INVALID_CURSOR, 404 NOT_FOUND
developer POST /admin/projects/:projectId/push/campaigns | body | 201 | 400 INVALID_INPUT, 400 INVALID_DELIVERY_MODE, 400 INVALID_SCHEDULED_AT, 400 SCHEDULED_AT_IN_PAST, 400 INVALID_LOCAL_DATE, 400 INVALID_LOCAL_TIME, 400 CONFLICTING_SCHEDULE, 400 INVALID_SEGMENT_ID, 500 CREATE_FAILED
developer GET /admin/projects/:projectId/push/campaigns | paging | 200 | 500 LIST_FAILED
developer GET /admin/projects/:projectId/push/campaigns/:campaignId |  | 200 | 404 NOT_FOUND, 500 FETCH_FAILED
developer PATCH /admin/projects/:projectId/push/campaigns/:campaignId | body | 200 | 400 INVALID_BODY, 400 INVALID_DATA, 400 INVALID_SEGMENT_ID, 400 INVALID_SCHEDULED_AT, 400 SCHEDULED_AT_IN_PAST, 400 CONFLICTING_SCHEDULE, 400 EMPTY_UPDATE, 400 INVALID_CAMPAIGN_ID, 404 NOT_FOUND, 409 ALREADY_SENT, 502 RESCHEDULE_FAILED, 500 UPDATE_FAILED
developer DELETE /admin/projects/:projectId/push/campaigns/:campaignId |  | 204 | 400 INVALID_CAMPAIGN_ID, 404 NOT_FOUND, 409 ALREADY_SENT, 500 DELETE_FAILED
developer POST /admin/projects/:projectId/push/campaigns/:campaignId/send |  | 200 | 404 NOT_FOUND, 409 ALREADY_SCHEDULED, 409 ALREADY_SENT, 500 SEND_FAILED
developer POST /admin/projects/:projectId/push/campaigns/:campaignId/cancel |  | 200 | 404 NOT_FOUND, 409 ALREADY_SENT
developer POST /admin/projects/:projectId/push/campaigns/preview | body viewer | 200 | 400 INVALID_INPUT, 400 INVALID_DELIVERY_MODE, 400 INVALID_SCHEDULED_AT, 400 SCHEDULED_AT_IN_PAST, 400 INVALID_LOCAL_DATE, 400 INVALID_LOCAL_TIME, 400 CONFLICTING_SCHEDULE, 400 INVALID_SEGMENT_ID
developer POST /admin/projects/:projectId/push/campaigns/test | body | 200 | 400 INVALID_BODY, 400 MISSING_TITLE, 400 MISSING_BODY, 400 MISSING_TARGET, 400 MISSING_PROVIDER, 400 NO_TOKEN, 404 NO_ACTIVE_TOKEN, 502 SEND_FAILED, 502 PUSH_FAILED, 500 PUSH_TEST_FAILED
developer POST /admin/projects/:projectId/users/:userId/push-schedule | body | 201 | 400 INVALID_BODY, 400 INVALID_FIRE_AT, 400 FIRE_AT_IN_PAST, 400 MISSING_TITLE, 400 MISSING_BODY, 400 INVALID_DATA, 400 INVALID_USER_ID, 404 USER_NOT_FOUND, 500 SCHEDULE_FAILED

developer GET /admin/projects/:projectId/background | | 200 |
developer GET /admin/projects/:projectId/background/dead | paging | 200 | 400 INVALID_CURSOR
developer GET /admin/projects/:projectId/background/dead/:id | | 200 | 404 NOT_FOUND
developer POST /admin/projects/:projectId/background/dead/retry | body | 200 |
developer POST /admin/projects/:projectId/background/dead/:id/retry | | 200 | 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/background/dead/:id | | 200 |

client GET /client/achievements | paging | 200 |
developer POST /admin/projects/:projectId/achievements | body | 201 | 400 INVALID_INPUT, 400 INVALID_CRITERIA, 409 KEY_EXISTS, 409 LIMIT_REACHED, 500 CREATE_FAILED
developer GET /admin/projects/:projectId/achievements | paging | 200 |
developer GET /admin/projects/:projectId/achievements/:achievementId | | 200 | 404 NOT_FOUND
developer PATCH /admin/projects/:projectId/achievements/:achievementId | body | 200 | 400 INVALID_CRITERIA, 404 NOT_FOUND, 500 UPDATE_FAILED
developer DELETE /admin/projects/:projectId/achievements/:achievementId | | 200 |
developer POST /admin/projects/:projectId/achievements/preview | body viewer | 200 | 400 INVALID_CRITERIA
developer POST /admin/projects/:projectId/achievements/:achievementId/evaluate | body | 200 | 404 NOT_FOUND, 409 INACTIVE
developer GET /admin/projects/:projectId/users/:userId/achievements | paging | 200 | 404 USER_NOT_FOUND
developer POST /admin/projects/:projectId/users/:userId/achievements/:achievementId | | 200 201 | 404 USER_NOT_FOUND, 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/users/:userId/achievements/:achievementId | | 200 | 404 USER_NOT_FOUND, 404 NOT_FOUND

client GET /client/xp | | 200 |
developer GET /admin/projects/:projectId/xp/rules | | 200 |
developer PUT /admin/projects/:projectId/xp/rules | body 2MB | 200 | 400 INVALID_INPUT
developer GET /admin/projects/:projectId/xp/levels | | 200 |
developer PUT /admin/projects/:projectId/xp/levels | body 2MB | 200 | 400 INVALID_INPUT
developer GET /admin/projects/:projectId/users/:userId/xp | | 200 | 400 INVALID_CURSOR, 404 USER_NOT_FOUND
developer POST /admin/projects/:projectId/users/:userId/xp | body | 201 | 400 INVALID_INPUT, 400 INVALID_AMOUNT, 404 USER_NOT_FOUND, 409 IDEMPOTENCY_KEY_REUSED

client GET /client/referrals/my-code | | 200 |
client POST /client/referrals/redeem | body | 201 | 404 CODE_NOT_FOUND, 409 CODE_INACTIVE, 403 NOT_ELIGIBLE, 409 SELF_REFERRAL, 409 ALREADY_REDEEMED, 409 CODE_EXHAUSTED, 429 RATE_LIMIT_EXCEEDED
developer POST /admin/projects/:projectId/referrals | body | 201 | 400 INVALID_INPUT, 400 INVALID_REWARD, 409 CODE_EXISTS
developer GET /admin/projects/:projectId/referrals | paging | 200 | 400 INVALID_CURSOR
developer GET /admin/projects/:projectId/referrals/program | | 200 |
developer PUT /admin/projects/:projectId/referrals/program | body | 200 | 400 INVALID_INPUT, 400 INVALID_REWARD
developer GET /admin/projects/:projectId/referrals/:codeId/stats | | 200 | 400 INVALID_CURSOR, 404 NOT_FOUND, 400 INVALID_LIMIT, 400 INVALID_OFFSET
developer PATCH /admin/projects/:projectId/referrals/:codeId | body | 200 | 400 INVALID_INPUT, 400 INVALID_REWARD, 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/referrals/:codeId | | 200 |

client GET /client/onboarding/flows | paging | 200 |
client POST /client/onboarding/:flowId/start | | 200 201 | 404 NOT_FOUND
client POST /client/onboarding/:flowId/advance | body | 200 | 404 NOT_FOUND, 409 NOT_STARTED, 409 ALREADY_COMPLETED, 409 STEP_OUT_OF_ORDER
client POST /client/onboarding/:flowId/skip | | 200 | 404 NOT_FOUND, 409 NOT_STARTED, 409 ALREADY_COMPLETED
client POST /client/onboarding/:flowId/complete | | 200 | 404 NOT_FOUND, 409 NOT_STARTED, 409 ALREADY_COMPLETED, 409 STEP_OUT_OF_ORDER
developer POST /admin/projects/:projectId/onboarding/flows | body | 201 | 409 LIMIT_REACHED
developer GET /admin/projects/:projectId/onboarding/flows | paging | 200 |
developer GET /admin/projects/:projectId/onboarding/flows/:flowId | | 200 | 404 NOT_FOUND
developer PATCH /admin/projects/:projectId/onboarding/flows/:flowId | body | 200 | 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/onboarding/flows/:flowId | | 200 |
developer GET /admin/projects/:projectId/onboarding/stats | paging | 200 |

client GET /client/currencies | paging | 200 |
client GET /client/currencies/transactions | paging | 200 |
client POST /client/currencies/:code/spend | body | 201 | 400 INVALID_AMOUNT, 404 CURRENCY_NOT_FOUND, 409 INSUFFICIENT_BALANCE, 409 IDEMPOTENCY_KEY_REUSED
developer POST /admin/projects/:projectId/currencies | body | 201 | 400 INVALID_AMOUNT, 409 CODE_EXISTS, 409 LIMIT_REACHED
developer GET /admin/projects/:projectId/currencies | paging | 200 |
developer PATCH /admin/projects/:projectId/currencies/:currencyId | body | 200 | 400 INVALID_AMOUNT
developer DELETE /admin/projects/:projectId/currencies/:currencyId | | 200 |
developer POST /admin/projects/:projectId/currencies/grant | body | 201 | 400 INVALID_AMOUNT, 404 USER_NOT_FOUND, 404 CURRENCY_NOT_FOUND, 409 IDEMPOTENCY_KEY_REUSED, 500 GRANT_FAILED
developer GET /admin/projects/:projectId/currencies/transactions/:userId | paging | 200 | 400 INVALID_CURSOR
developer POST /admin/projects/:projectId/currencies/transactions/:transactionId/reverse | | 201 | 404 NOT_FOUND, 409 ALREADY_REVERSED, 409 INSUFFICIENT_BALANCE, 409 INSUFFICIENT_QUANTITY, 409 NOT_REVERSIBLE
developer GET /admin/projects/:projectId/currencies/verify | | 200 |
developer GET /admin/projects/:projectId/users/:userId/currencies | paging | 200 | 404 USER_NOT_FOUND

developer POST /admin/projects/:projectId/media | body | 201 | 400 INVALID_INPUT, 409 QUOTA_EXCEEDED, 502 STORAGE_UNAVAILABLE
developer GET /admin/projects/:projectId/media | paging | 200 | 400 INVALID_CURSOR
developer POST /admin/projects/:projectId/media/:assetId/complete | | 200 | 404 NOT_FOUND, 502 STORAGE_UNAVAILABLE
developer DELETE /admin/projects/:projectId/media/:assetId | | 200 |
developer POST /admin/projects/:projectId/media/folders | body | 201 | 400 INVALID_INPUT
developer GET /admin/projects/:projectId/media/folders | paging | 200 |
developer DELETE /admin/projects/:projectId/media/folders/:folderId | | 200 |
client POST /client/media | body | 201 | 400 INVALID_INPUT, 409 QUOTA_EXCEEDED, 429 RATE_LIMIT_EXCEEDED, 502 STORAGE_UNAVAILABLE
client GET /client/media | paging | 200 |
client POST /client/media/:assetId/complete | | 200 | 404 NOT_FOUND, 502 STORAGE_UNAVAILABLE
client DELETE /client/media/:assetId | | 200 | 404 NOT_FOUND
developer GET /admin/projects/:projectId/deep-links/config | | 200 | 404 NOT_FOUND
developer GET /admin/projects/:projectId/deep-links/settings | | 200 |
developer PUT /admin/projects/:projectId/deep-links/config | body | 200 | 409 DOMAIN_TAKEN, 500 UPSERT_FAILED
developer POST /admin/projects/:projectId/deep-links/tracked | body | 201 | 409 SLUG_EXISTS, 409 QUOTA_EXCEEDED
developer GET /admin/projects/:projectId/deep-links/tracked | paging | 200 | 400 INVALID_CURSOR
developer DELETE /admin/projects/:projectId/deep-links/tracked/:linkId | | 200 |
developer PATCH /admin/projects/:projectId/deep-links/tracked/:linkId | body | 200 | 404 NOT_FOUND
developer GET /admin/projects/:projectId/deep-links/tracked/:linkId | | 200 | 404 NOT_FOUND
developer GET /admin/projects/:projectId/deep-links/tracked/:linkId/days | paging | 200 | 400 INVALID_INPUT, 404 NOT_FOUND
developer GET /admin/projects/:projectId/deep-links/tracked/:linkId/stats | | 200 | 404 NOT_FOUND
client GET /client/deep-links/resolve | | 200 | 404 NOT_FOUND

webhook POST /webhooks/subscription | raw | 200 | 400 MISSING_PROJECT, 401 INVALID_SIGNATURE, 404 NOT_CONFIGURED, 429 RATE_LIMIT_EXCEEDED, 500 WEBHOOK_PROCESSING_FAILED
webhook POST /webhooks/paywall | raw | 200 | 400 MISSING_PROJECT, 400 INVALID_BODY, 401 INVALID_SIGNATURE, 404 NOT_CONFIGURED, 429 RATE_LIMIT_EXCEEDED
developer GET /admin/projects/:projectId/webhooks/inbox | paging | 200 | 400 INVALID_CURSOR, 400 INVALID_INPUT
developer GET /admin/projects/:projectId/webhooks/inbox/:inboxId | | 200 | 404 NOT_FOUND
developer POST /admin/projects/:projectId/webhooks/inbox/:inboxId/replay | | 200 | 404 NOT_FOUND
public GET /l/:projectId/:slug | root | 302 | 404 NOT_FOUND
public GET /l/:slug | root | 302 | 404 NOT_FOUND
public GET /.well-known/apple-app-site-association | root | 200 | 404 NOT_FOUND
public GET /.well-known/assetlinks.json | root | 200 | 404 NOT_FOUND

developer POST /admin/projects/:projectId/catalog/items | body | 201 | 400 INVALID_AMOUNT, 400 INVALID_REWARD, 409 KEY_EXISTS
developer GET /admin/projects/:projectId/catalog/items | paging | 200 |
developer PATCH /admin/projects/:projectId/catalog/items/:itemId | body | 200 | 400 INVALID_AMOUNT, 400 INVALID_REWARD, 404 NOT_FOUND, 409 KEY_EXISTS
developer DELETE /admin/projects/:projectId/catalog/items/:itemId | | 200 | 404 NOT_FOUND, 409 ITEM_IN_USE
developer POST /admin/projects/:projectId/stores | body | 201 |
developer GET /admin/projects/:projectId/stores | paging | 200 |
developer PATCH /admin/projects/:projectId/stores/:storeId | body | 200 |
developer DELETE /admin/projects/:projectId/stores/:storeId | | 200 |
developer POST /admin/projects/:projectId/stores/:storeId/listings | body | 201 | 400 INVALID_INPUT, 400 INVALID_AMOUNT, 404 NOT_FOUND, 409 ALREADY_LISTED, 500 ADD_LISTING_FAILED
developer GET /admin/projects/:projectId/stores/:storeId/listings | paging | 200 | 404 NOT_FOUND
developer PATCH /admin/projects/:projectId/stores/:storeId/listings/:listingId | body | 200 | 400 INVALID_AMOUNT, 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/stores/:storeId/listings/:listingId | | 200 |
developer GET /admin/projects/:projectId/users/:userId/inventory | paging | 200 | 404 USER_NOT_FOUND
developer GET /admin/projects/:projectId/users/:userId/purchases | paging | 200 | 404 USER_NOT_FOUND
developer POST /admin/projects/:projectId/users/:userId/rewards | body | 201 | 400 INVALID_REWARD, 404 USER_NOT_FOUND, 409 IDEMPOTENCY_KEY_REUSED
client GET /client/stores | paging | 200 |
client GET /client/stores/:storeId/listings | paging | 200 | 404 NOT_FOUND
client POST /client/stores/:storeId/listings/:listingId/purchase | body | 201 | 404 NOT_FOUND, 403 NOT_ELIGIBLE, 409 NOT_AVAILABLE, 400 CURRENCY_NOT_ACCEPTED, 409 PURCHASE_LIMIT_REACHED, 409 INSUFFICIENT_BALANCE, 409 IDEMPOTENCY_KEY_REUSED
client GET /client/inventory | paging | 200 |
client POST /client/inventory/:catalogItemId/consume | body | 200 | 404 NOT_FOUND, 409 INSUFFICIENT_QUANTITY, 409 IDEMPOTENCY_KEY_REUSED

client POST /client/follows/:userId | | 200 201 | 400 INVALID_INPUT, 403 BLOCKED, 404 USER_NOT_FOUND, 409 QUOTA_EXCEEDED
client DELETE /client/follows/:userId | | 200 | 400 INVALID_INPUT, 404 USER_NOT_FOUND
client GET /client/follows | paging | 200 | 400 INVALID_INPUT
client POST /client/blocks/:userId | | 200 201 | 400 INVALID_INPUT, 404 USER_NOT_FOUND, 409 QUOTA_EXCEEDED
client DELETE /client/blocks/:userId | | 200 |
client GET /client/blocks | paging | 200 |
client GET /client/feed | | 200 | 400 INVALID_CURSOR, 400 INVALID_INPUT, 400 INVALID_LIMIT, 404 NOT_FOUND
developer POST /admin/projects/:projectId/feeds/rules | body | 201 | 400 INVALID_INPUT, 409 LIMIT_REACHED
developer GET /admin/projects/:projectId/feeds/rules | paging | 200 |
developer PATCH /admin/projects/:projectId/feeds/rules/:ruleId | body | 200 | 400 INVALID_INPUT, 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/feeds/rules/:ruleId | | 200 |
developer GET /admin/projects/:projectId/feeds/items | paging | 200 | 400 INVALID_CURSOR, 400 INVALID_INPUT
developer DELETE /admin/projects/:projectId/feeds/items/:itemId | | 200 |

client POST /client/groups | body | 201 | 400 INVALID_INPUT, 400 CONTENT_REJECTED, 409 QUOTA_EXCEEDED, 429 RATE_LIMIT_EXCEEDED
client GET /client/groups/mine | paging | 200 |
client GET /client/groups/search | paging | 200 |
client GET /client/groups/:groupId | | 200 | 404 NOT_FOUND
client PATCH /client/groups/:groupId | body | 200 | 400 CONTENT_REJECTED, 403 FORBIDDEN, 404 NOT_FOUND
client DELETE /client/groups/:groupId | | 200 | 403 FORBIDDEN, 404 NOT_FOUND
client POST /client/groups/:groupId/transfer | body | 200 | 403 FORBIDDEN, 404 NOT_FOUND, 409 QUOTA_EXCEEDED
client POST /client/groups/:groupId/join | | 201 | 403 FORBIDDEN, 403 NOT_PUBLIC, 404 NOT_FOUND, 409 GROUP_FULL, 409 QUOTA_EXCEEDED, 500 JOIN_FAILED
client POST /client/groups/:groupId/leave | | 200 | 400 OWNER_CANNOT_LEAVE, 500 LEAVE_FAILED
client GET /client/groups/:groupId/members | paging | 200 | 404 NOT_FOUND
client POST /client/groups/:groupId/members/:userId/kick | body | 200 | 400 OWNER_CANNOT_LEAVE, 403 FORBIDDEN, 404 NOT_FOUND
client POST /client/groups/join | body | 201 | 403 FORBIDDEN, 404 INVITE_NOT_FOUND, 409 GROUP_FULL, 409 QUOTA_EXCEEDED, 429 RATE_LIMIT_EXCEEDED
client POST /client/groups/:groupId/invites | body | 201 | 403 FORBIDDEN, 404 NOT_FOUND, 409 QUOTA_EXCEEDED
client GET /client/groups/:groupId/invites | paging | 200 | 403 FORBIDDEN, 404 NOT_FOUND
client DELETE /client/groups/:groupId/invites/:code | | 200 | 403 FORBIDDEN, 404 NOT_FOUND
developer POST /admin/projects/:projectId/groups | body | 201 | 404 USER_NOT_FOUND, 409 QUOTA_EXCEEDED
developer GET /admin/projects/:projectId/groups | paging | 200 | 400 INVALID_CURSOR
developer GET /admin/projects/:projectId/groups/:groupId | | 200 | 404 NOT_FOUND
developer PATCH /admin/projects/:projectId/groups/:groupId | body | 200 | 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/groups/:groupId | | 200 |
developer GET /admin/projects/:projectId/groups/:groupId/members | paging | 200 |
developer POST /admin/projects/:projectId/groups/:groupId/members | body | 201 | 404 NOT_FOUND, 404 USER_NOT_FOUND, 409 GROUP_FULL, 409 QUOTA_EXCEEDED
developer PATCH /admin/projects/:projectId/groups/:groupId/members/:memberId | body | 200 | 400 OWNER_CANNOT_LEAVE, 404 NOT_FOUND, 409 QUOTA_EXCEEDED
developer DELETE /admin/projects/:projectId/groups/:groupId/members/:memberId | | 200 | 400 OWNER_CANNOT_LEAVE

developer GET /admin/projects/:projectId/reviews/stats | | 200 |
developer GET /admin/projects/:projectId/reviews | paging | 200 | 400 INVALID_CURSOR, 400 INVALID_INPUT, 400 INVALID_RATING_MIN, 400 INVALID_RATING_MAX
developer GET /admin/projects/:projectId/reviews/export | | 200 | 400 INVALID_INPUT, 400 INVALID_SINCE, 400 INVALID_RATING_MIN, 400 INVALID_RATING_MAX
developer PATCH /admin/projects/:projectId/reviews/:reviewId | body | 200 | 404 NOT_FOUND
developer DELETE /admin/projects/:projectId/reviews/:reviewId | | 200 |
developer GET /admin/projects/:projectId/reviews/items | paging | 200 |
client POST /client/reviews | body | 201 | 400 INVALID_RATING, 400 CONTENT_REJECTED, 409 ALREADY_REVIEWED, 409 QUOTA_EXCEEDED
client GET /client/reviews | paging | 200 | 400 INVALID_INPUT
client PATCH /client/reviews/:reviewId | body | 200 | 400 INVALID_RATING, 400 CONTENT_REJECTED
client DELETE /client/reviews/:reviewId | | 200 |

client POST /client/reports | body | 201 | 400 INVALID_INPUT, 404 NOT_FOUND, 429 RATE_LIMIT_EXCEEDED
developer GET /admin/projects/:projectId/moderation/queue | paging | 200 | 400 INVALID_CURSOR, 400 INVALID_INPUT
developer POST /admin/projects/:projectId/moderation/queue/:itemId/approve | | 200 | 404 NOT_FOUND
developer POST /admin/projects/:projectId/moderation/queue/:itemId/reject | | 200 | 404 NOT_FOUND
developer POST /admin/projects/:projectId/moderation/queue/:itemId/escalate | | 200 | 404 NOT_FOUND
developer POST /admin/projects/:projectId/moderation/rules | body | 201 | 400 INVALID_INPUT, 400 INVALID_RULE_CONFIG, 409 QUOTA_EXCEEDED
developer GET /admin/projects/:projectId/moderation/rules | paging | 200 |
developer PATCH /admin/projects/:projectId/moderation/rules/:ruleId | body | 200 | 400 INVALID_INPUT, 400 INVALID_RULE_CONFIG, 409 QUOTA_EXCEEDED
developer DELETE /admin/projects/:projectId/moderation/rules/:ruleId | | 200 |
developer POST /admin/projects/:projectId/moderation/rules/preview | body viewer | 200 | 400 INVALID_INPUT, 400 INVALID_RULE_CONFIG
developer POST /admin/projects/:projectId/moderation/trust | body | 200 | 400 INVALID_INPUT, 404 USER_NOT_FOUND, 500 UPSERT_FAILED
developer GET /admin/projects/:projectId/moderation/trust | paging | 200 | 400 INVALID_CURSOR

client POST /client/sessions/start | body | 201 | 500 CREATE_FAILED
client POST /client/sessions/end | body | 200 | 404 UPDATE_FAILED
client POST /client/sessions/heartbeat | body | 200 | 404 UPDATE_FAILED
developer GET /admin/projects/:projectId/analytics/sessions | | 200 | 400 INVALID_SINCE, 400 INVALID_UNTIL, 400 RANGE_TOO_LARGE
developer GET /admin/projects/:projectId/analytics/hours | | 200 | 400 INVALID_SINCE, 400 INVALID_UNTIL, 400 RANGE_TOO_LARGE
developer GET /admin/projects/:projectId/analytics/overview | | 200 | 400 INVALID_SINCE, 400 INVALID_UNTIL, 400 RANGE_TOO_LARGE
developer GET /admin/projects/:projectId/analytics/retention | | 200 | 400 INVALID_INPUT

client GET /client/content/libraries/:libraryId | paging | 200 |
client POST /client/content/libraries/:libraryId/items | body 2MB | 201 | 400 INVALID_INPUT, 400 CONTENT_REJECTED, 404 NOT_FOUND, 409 QUOTA_EXCEEDED, 500 CREATE_FAILED
client PATCH /client/content/items/:itemId | body 2MB | 200 | 400 INVALID_INPUT, 400 CONTENT_REJECTED, 404 NOT_FOUND, 500 UPDATE_FAILED
client DELETE /client/content/items/:itemId | | 200 | 404 NOT_FOUND, 500 DELETE_FAILED
client GET /client/content/items/:itemId | | 200 | 404 NOT_FOUND, 500 FETCH_FAILED
developer POST /admin/projects/:projectId/content/libraries | body | 201 |
developer GET /admin/projects/:projectId/content/libraries | paging | 200 |
developer GET /admin/projects/:projectId/content/libraries/:libraryId | | 200 | 404 NOT_FOUND
developer PATCH /admin/projects/:projectId/content/libraries/:libraryId | body | 200 |
developer DELETE /admin/projects/:projectId/content/libraries/:libraryId | | 200 | 502 SCHEDULE_DELETE_FAILED
developer POST /admin/projects/:projectId/content/libraries/:libraryId/items | body 2MB | 201 | 404 NOT_FOUND, 500 CREATE_FAILED
developer GET /admin/projects/:projectId/content/libraries/:libraryId/items | paging | 200 |
developer PATCH /admin/projects/:projectId/content/items/:itemId | body 2MB | 200 | 404 NOT_FOUND, 500 UPDATE_FAILED
developer DELETE /admin/projects/:projectId/content/items/:itemId | | 200 |
developer POST /admin/projects/:projectId/content/libraries/:libraryId/bulk | body 8MB | 201 | 404 NOT_FOUND, 500 BULK_FAILED
client GET /client/content/today | paging | 200 | 500 FETCH_FAILED
developer POST /admin/projects/:projectId/content/schedules | body | 201 | 400 INVALID_INPUT, 400 INVALID_SCHEDULE_CONFIG, 404 NOT_FOUND, 409 QUOTA_EXCEEDED, 500 CREATE_FAILED
developer GET /admin/projects/:projectId/content/schedules | paging | 200 |
developer PATCH /admin/projects/:projectId/content/schedules/:scheduleId | body | 200 | 400 INVALID_INPUT, 400 INVALID_SCHEDULE_CONFIG, 404 NOT_FOUND, 502 SCHEDULE_UPDATE_FAILED, 500 UPDATE_FAILED
developer DELETE /admin/projects/:projectId/content/schedules/:scheduleId | | 200 | 404 NOT_FOUND, 502 SCHEDULE_DELETE_FAILED, 500 DELETE_FAILED
developer GET /admin/projects/:projectId/content/schedules/:scheduleId/preview | paging | 200 | 400 INVALID_INPUT, 404 NOT_FOUND
developer POST /admin/projects/:projectId/content/schedules/:scheduleId/deliver | | 201 | 404 NOT_FOUND, 409 NOTHING_TO_DELIVER

client POST /client/messaging/conversations | body | 200 201 | 400 CONTENT_REJECTED, 403 BLOCKED, 404 USER_NOT_FOUND, 409 QUOTA_EXCEEDED, 429 RATE_LIMIT_EXCEEDED
client GET /client/messaging/conversations | paging | 200 |
client POST /client/messaging/conversations/:id/read | body | 200 | 403 NOT_PARTICIPANT
client POST /client/messaging/conversations/:id/participants | body | 201 | 403 NOT_PARTICIPANT, 403 FORBIDDEN, 403 BLOCKED, 404 USER_NOT_FOUND, 409 QUOTA_EXCEEDED
client POST /client/messaging/conversations/:id/leave | | 200 | 400 INVALID_INPUT, 403 NOT_PARTICIPANT
client GET /client/messaging/conversations/:id/messages | paging | 200 | 400 INVALID_CURSOR, 403 NOT_PARTICIPANT
client POST /client/messaging/conversations/:id/messages | body | 200 201 | 400 MESSAGE_REJECTED, 403 NOT_PARTICIPANT, 403 BLOCKED
client DELETE /client/messaging/messages/:id | | 200 | 404 NOT_FOUND
developer GET /admin/projects/:projectId/messaging/stats | | 200 |
developer GET /admin/projects/:projectId/messaging/conversations | paging | 200 | 400 INVALID_CURSOR
developer GET /admin/projects/:projectId/messaging/conversations/:conversationId/messages | paging | 200 | 400 INVALID_CURSOR
developer DELETE /admin/projects/:projectId/messaging/messages/:messageId | | 200 |

developer GET /admin/projects/:projectId/live | | 200 | 400 INVALID_USER_ID, 429 RATE_LIMIT_EXCEEDED
client GET /client/stream | | 200 | 429 RATE_LIMIT_EXCEEDED

developer GET /admin/projects/:projectId/refusals | paging | 200 |
`

/** The rate limits of the spec's table, per address: calls and seconds, by route. */
export const specLimits: Readonly<Record<string, ReadonlyArray<readonly [points: number, seconds: number]>>> = {
  "POST /client/auth/magic-link/request": [
    [10, 60],
    [200, 86_400],
  ],
  "POST /auth/developer/signup": [
    [5, 60],
    [50, 86_400],
  ],
  "POST /auth/developer/login": [
    [10, 60],
    [100, 86_400],
  ],
  "POST /auth/developer/refresh": [[30, 60]],
}
