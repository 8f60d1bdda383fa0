/** Version of a Claude model by its name, as major + minor / 100; nothing when the name does not say. */
function versionOf(model: string | undefined): { readonly family: string; readonly version: number } | undefined {
  const match = /claude-([a-z]+)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model ?? '')
  if (match === null) return undefined
  return { family: match[1] ?? '', version: Number(match[2]) + Number(match[3] ?? 0) / 100 }
}

/** A1: system inside messages came with Opus 4.8; an unknown model is taken for one without it. */
export function takesSystemInMessages(model: string | undefined): boolean {
  const known = versionOf(model)
  return known !== undefined && (known.version >= 5 || (known.family === 'opus' && known.version >= 4.08))
}

/** A10: from 4.6 on the last message must be the user's; an unknown model is taken to allow a prefilled reply. */
export function refusesPrefill(model: string | undefined): boolean {
  const known = versionOf(model)
  return known !== undefined && known.version >= 4.06
}
