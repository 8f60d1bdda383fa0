import { baseName } from './base-name.ts'

/** How much a model reads and writes, in tokens. */
interface ModelWindow {
  /** What a request and its reply may have together. */
  readonly tokens: number
  /** What a reply may have at most. */
  readonly reply: number
}

const M = 1_048_576

/**
 * The first row whose pattern begins the model's name counts. The figures are those that the makers publish; where versions of a
 * family differ, the smallest. There is no row for families whose window depends on who serves them.
 */
const WINDOWS: readonly (readonly [pattern: RegExp, tokens: number, reply: number])[] = [
  [/^gpt-oss/, 131_072, 32_768],
  [/^gpt-5(?:\.\d+)?-chat/, 128_000, 16_384],
  [/^(?:gpt-[5-9]|codex-mini)/, 400_000, 128_000],
  [/^gpt-4\.1/, 1_047_576, 32_768],
  [/^(?:gpt-4\.5|gpt-4o|chatgpt-4o)/, 128_000, 16_384],
  [/^gpt-4-(?:turbo|vision|1106|0125)/, 128_000, 4_096],
  [/^gpt-4-32k/, 32_768, 8_192],
  [/^gpt-4(?![\d.])/, 8_192, 2_048],
  [/^gpt-3(?:\.|)5/, 16_385, 4_096],
  [/^o1-(?:mini|preview)/, 128_000, 32_768],
  [/^o[134](?![\da-z])/, 200_000, 100_000],
  [/^claude-(?:instant|2(?:\.0)?(?![\d.]))/, 100_000, 4_096],
  [/^claude-3-(?:opus|sonnet|haiku)/, 200_000, 4_096],
  [/^claude-3-5/, 200_000, 8_192],
  [/^claude/, 200_000, 32_000],
  [/^gemini-1\.5-pro/, 2 * M, 8_192],
  [/^gemini-(?:1\.5|2\.0)/, M, 8_192],
  [/^gemini-(?:2\.5|[3-9]|(?:pro|flash|flash-lite)-latest)/, M, 65_536],
  [/^grok-4/, 256_000, 32_768],
  [/^grok-[23]/, 131_072, 16_384],
  [/^(?:mistral-(?:large|medium|small)|codestral|devstral|magistral)/, 131_072, 16_384],
  [/^deepseek-(?:chat|reasoner)/, 65_536, 8_192],
  [/^deepseek-v3\.[1-9]/, 131_072, 8_192],
  [/^kimi-k2/, 131_072, 16_384],
  [/^glm-4\.5/, 131_072, 32_768],
  [/^glm-(?:4\.[6-9]|5)/, 200_000, 32_768],
  [/^minimax-m2/, 204_800, 32_768],
  [/^qwen3-(?:max|plus)/, 262_144, 32_768],
  [/^nova-micro/, 128_000, 5_000],
  [/^nova-(?:lite|pro)/, 300_000, 5_000],
  [/^command-(?:r|a)/, 128_000, 4_096],
]

/** What a model reads and writes, by its id as providers and gateways spell it; nothing if its family is not known. */
export function modelWindow(model: string): ModelWindow | undefined {
  const name = baseName(model)
  const row = WINDOWS.find(([pattern]) => pattern.test(name))
  return row === undefined ? undefined : { tokens: row[1], reply: row[2] }
}
