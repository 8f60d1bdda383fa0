/** The HTTP status of a provider's error: `statusCode` in the AI SDK, `status` in the OpenAI and Anthropic SDKs, `response.status` in most others. */
export function errorStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('statusCode' in error && typeof error.statusCode === 'number') return error.statusCode
  if ('status' in error && typeof error.status === 'number') return error.status
  if (!('response' in error) || typeof error.response !== 'object' || error.response === null) return undefined
  return errorStatus({ status: (error.response as { readonly status?: unknown }).status })
}
