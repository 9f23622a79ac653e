import { defineEntity, p } from "@mikro-orm/core"
import { PushCampaign } from "../push/entities.ts"
import { User } from "../users/entities.ts"

export const Segment = defineEntity({
  name: "Segment",
  tableName: "segments",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text().nullable(),
    rules: p.json(),
    is_system: p.boolean(),
    user_count: p.integer().check("user_count >= 0"),
    last_evaluated_at: p.datetime(3).nullable(),
    created_at: p.datetime(3),
    campaign_id: () =>
      p.manyToOne(PushCampaign).mapToPk().nullable().deleteRule("cascade").updateRule("no action").unique(),
  },
})

/** A member of a segment: described by its rules, or added by hand. */
export const SegmentMembership = defineEntity({
  name: "SegmentMembership",
  tableName: "segment_memberships",
  properties: {
    segment_id: () => p.manyToOne(Segment).mapToPk().primary().deleteRule("cascade"),
    app_user_id: () => p.manyToOne(User).mapToPk().primary().deleteRule("cascade").index(),
    is_manual: p.boolean(),
    added_at: p.datetime(3),
  },
})
