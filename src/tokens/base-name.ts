/** The name of a model without what gateways, regions and fine-tuning add to it, in lower case. */
export function baseName(model: string): string {
  const path = model.toLowerCase()
  const last = path.slice(path.lastIndexOf('/') + 1)
  const tuned = last.startsWith('ft:') ? last.slice(3) : last
  // Amazon Bedrock puts the region and the maker before the name.
  return tuned.replace(
    /^(?:[a-z]{2,6}\.)?(?:anthropic|openai|meta|google|amazon|deepseek|mistral|minimax|moonshot|qwen|zai)\./,
    '',
  )
}
