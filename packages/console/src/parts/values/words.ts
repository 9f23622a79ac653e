const words: Readonly<Record<string, string>> = {
  push_a: "Apple push (APNs)",
  push_b: "Firebase push (FCM)",
  idp_a: "Apple",
  idp_b: "Google",
  subscription: "subscriptions",
  streak_length: "length of streaks",
  xp: "XP",
  ios: "iOS",
  android: "Android",
}

/** What the service itself stores as a key, in words: a status, a provider, a kind. What a project has named stays as it is. */
export const sayWord = (stored: string): string => words[stored] ?? stored.replaceAll("_", " ")
