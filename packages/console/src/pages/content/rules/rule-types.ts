/** What a moderation rule can look for. */
export const ruleTypes = [
  { value: "keyword", name: "Words" },
  { value: "regex", name: "A pattern" },
  { value: "link", name: "Links" },
] as const

/** What a match leads to. */
export const ruleActions = [
  { value: "flag", name: "It is shown, and queued" },
  { value: "hold", name: "It is hidden until somebody approves" },
  { value: "reject", name: "It is refused" },
] as const
