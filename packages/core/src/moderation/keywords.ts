/** What a keyword leads to: the strongest rule that wants it as a word, and the one that wants it anywhere; -1 for none. */
interface Keyword {
  readonly text: string
  readonly word: number
  readonly anywhere: number
}

/** Finds many keywords in one pass over a text. */
export interface KeywordMatcher {
  /** Calls `found` with the rule of every keyword that occurs in the normalized `text`. A rule may be named more than once. */
  match(text: string, found: (rule: number) => void): void
  /** About how many bytes it holds. */
  readonly bytes: number
}

/** A keyword of a rule. Rules are numbered; of two with the same keyword the one with the lower number is told. */
export interface WantedKeyword {
  readonly text: string
  readonly rule: number
  readonly match: "word" | "substring"
}

const wordCharacter = /[\p{L}\p{Nd}\p{M}_]/u

const isWordAt = (text: string, index: number) => wordCharacter.test(String.fromCodePoint(text.codePointAt(index) ?? 0))

/** Whether neither a letter, digit, mark nor `_` is directly before `start` or directly at `end` [I6.1]. */
const isWord = (text: string, start: number, end: number) => {
  if (end < text.length && isWordAt(text, end)) return false
  if (start === 0) return true
  const isLowHalf = start > 1 && /[\udc00-\udfff]/.test(text.charAt(start - 1))
  return !isWordAt(text, isLowHalf ? start - 2 : start - 1)
}

const lower = (a: number, b: number) => (a === -1 ? b : b === -1 ? a : Math.min(a, b))

const mergeKeywords = (wanted: ReadonlyArray<WantedKeyword>): ReadonlyArray<Keyword> => {
  const merged = new Map<string, Keyword>()
  for (const { text, rule, match } of wanted) {
    const { word, anywhere } = merged.get(text) ?? { word: -1, anywhere: -1 }
    merged.set(text, {
      text,
      word: match === "word" ? lower(word, rule) : word,
      anywhere: match === "substring" ? lower(anywhere, rule) : anywhere,
    })
  }
  return [...merged.values()]
}

/**
 * A tree of prefixes in flat arrays, so that 1,000,000 characters of keywords take some 30 MB. Children are found in a hash table
 * of (node, character).
 */
const makeTrie = (keywords: ReadonlyArray<Keyword>) => {
  const most = keywords.reduce((sum, { text }) => sum + text.length, 1)
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 1)))
  const mask = slots.length - 1
  const [parents, depths] = [new Int32Array(most), new Int32Array(most)]
  const characters = new Uint16Array(most)
  // The keyword that ends at a node, plus one.
  const ends = new Int32Array(most)
  let size = 1

  const slotOf = (node: number, character: number) => {
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(character, 0x85ebca6b)) >>> 7
    for (slot &= mask; ; slot = (slot + 1) & mask) {
      const child = slots[slot] ?? 0
      if (child === 0 || (parents[child] === node && characters[child] === character)) return slot
    }
  }
  /** The child of a node by a character; 0, the root, where there is none. */
  const childOf = (node: number, character: number) => slots[slotOf(node, character)] ?? 0
  const addChild = (node: number, character: number) => {
    const slot = slotOf(node, character)
    if (slots[slot] !== 0) return slots[slot] ?? 0
    parents[size] = node
    depths[size] = (depths[node] ?? 0) + 1
    characters[size] = character
    slots[slot] = size
    return size++
  }
  for (const [at, { text }] of keywords.entries()) {
    let node = 0
    for (let index = 0; index < text.length; index++) node = addChild(node, text.charCodeAt(index))
    ends[node] = at + 1
  }
  return { size, parents, depths, characters, ends, childOf, bytes: most * 22 + slots.length * 4 }
}

type Trie = ReturnType<typeof makeTrie>

/** The nodes, those nearer to the root first. */
const sortByDepth = ({ size, depths }: Trie) =>
  Int32Array.from({ length: size }, (_, node) => node).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0))

/** For every node the longest other one that its text ends with, and from there the nearest one at which a keyword ends. */
const linkNodes = (trie: Trie) => {
  const { size, parents, characters, ends, childOf } = trie
  const [fails, outputs] = [new Int32Array(size), new Int32Array(size)]
  for (const node of sortByDepth(trie)) {
    const parent = parents[node] ?? 0
    if (node === 0) continue
    if (parent !== 0) {
      const character = characters[node] ?? 0
      let from = fails[parent] ?? 0
      let next = childOf(from, character)
      while (next === 0 && from !== 0) {
        from = fails[from] ?? 0
        next = childOf(from, character)
      }
      fails[node] = next
    }
    const fail = fails[node] ?? 0
    outputs[node] = ends[fail] === 0 ? (outputs[fail] ?? 0) : fail
  }
  return { fails, outputs }
}

/** Makes a matcher of keywords, which are normalized and not empty (Aho-Corasick). */
export const makeKeywordMatcher = (wanted: ReadonlyArray<WantedKeyword>): KeywordMatcher => {
  const keywords = mergeKeywords(wanted)
  const trie = makeTrie(keywords)
  const { fails, outputs } = linkNodes(trie)
  const { ends, childOf } = trie

  return {
    bytes: trie.bytes + keywords.length * 100,
    match: (text, found) => {
      let node = 0
      for (let index = 0; index < text.length; index++) {
        const character = text.charCodeAt(index)
        let next = childOf(node, character)
        while (next === 0 && node !== 0) {
          node = fails[node] ?? 0
          next = childOf(node, character)
        }
        node = next
        for (let hit = ends[node] === 0 ? outputs[node] : node; hit; hit = outputs[hit]) {
          const keyword = keywords[(ends[hit] ?? 0) - 1]
          if (keyword === undefined) break
          if (keyword.anywhere !== -1) found(keyword.anywhere)
          if (keyword.word !== -1 && isWord(text, index + 1 - keyword.text.length, index + 1)) found(keyword.word)
        }
      }
    },
  }
}
