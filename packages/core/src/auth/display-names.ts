import type { Ids } from "../ports/ids.ts"

const adjectives =
  "Amber Bold Brave Bright Calm Clever Cosmic Crimson Daring Eager Fearless Gentle Golden Happy Jolly Keen Kind Lively Lucky Mellow Mighty Nimble Noble Proud Quick Quiet Silver Sunny Swift Vivid Wild Witty".split(
    " ",
  )

const nouns =
  "Badger Bear Beaver Comet Condor Crane Dolphin Eagle Falcon Fox Gecko Hawk Heron Ibex Jaguar Koala Lion Lynx Maple Marten Otter Owl Panda Puma Raven River Robin Salmon Tiger Walrus Willow Wolf".split(
    " ",
  )

/** The default display name: one of 32 adjectives and one of 32 nouns, joined (spec: end user). */
export const displayName = (ids: Ids): string =>
  `${adjectives[ids.integer(adjectives.length)]}${nouns[ids.integer(nouns.length)]}`
