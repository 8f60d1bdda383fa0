/** G5: signatures are required from Gemini 3 on. Nothing when the name does not say. */
export function requiresSignatures(model: string | undefined): boolean | undefined {
  const match = /gemini-(\d+)/.exec(model ?? '')
  return match === null ? undefined : Number(match[1]) >= 3
}

/** What Google documents for calls whose signature is not at hand. */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator'
