import type { TokenUsage } from '../api/document.ts'

export const NO_TOKEN_USAGE: TokenUsage = { total_input: 0, total_output: 0, by_session: 0 }

export function addTokenUsage(usage: TokenUsage, input: number, output: number): TokenUsage {
  const [total_input, total_output] = [usage.total_input + input, usage.total_output + output]
  return { total_input, total_output, by_session: total_input + total_output }
}
