/** A kind of secret and what it looks like. Only what is hardly anything else: a pattern that guesses would damage what people say. */
interface SecretPattern {
  readonly name: string
  readonly pattern: RegExp
}

/** Prefixes and lengths as the issuers document them; each pattern is linear in the length of the text. */
const secretPatterns: readonly SecretPattern[] = [
  {
    name: 'private-key',
    pattern:
      /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s\\:,.-]{32,16384}?-----END (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  { name: 'anthropic-key', pattern: /\bsk-ant-[a-z]{2,8}\d{2}-[\w-]{32,256}/g },
  { name: 'openai-key', pattern: /\bsk-(?:proj|svcacct|admin)-[\w-]{32,256}|\bsk-[A-Za-z0-9]{48}\b/g },
  { name: 'github-token', pattern: /\bgh[opsur]_[A-Za-z0-9]{36,255}\b|\bgithub_pat_\w{60,255}\b/g },
  { name: 'gitlab-token', pattern: /\bglpat-[\w-]{20,64}/g },
  { name: 'aws-access-key', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { name: 'google-api-key', pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { name: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{20,255}/g },
  { name: 'stripe-key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{24,128}\b/g },
  { name: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: 'hugging-face-token', pattern: /\bhf_[A-Za-z0-9]{34,64}\b/g },
  { name: 'json-web-token', pattern: /\beyJ[\w-]{10,2048}\.eyJ[\w-]{10,8192}\.[\w-]{20,2048}/g },
  // The password between a user and a host; the address itself stays.
  {
    name: 'url-password',
    pattern: /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"']{1,128}:)[^\s/@"']{3,256}(?=@[\w.-]{1,255})/gi,
  },
  // Somebody who writes `password: …` says what it is.
  {
    name: 'password',
    pattern:
      /(?<=\b(?:password|passwd|passphrase|secret[_-]?key|api[_-]?key|client[_-]?secret|access[_-]?token)["']{0,1}\s{0,3}[:=]\s{0,3}["']{0,1})[^\s"',;\\]{8,256}/gi,
  },
]

/** A field whose value is a secret whatever it looks like. */
export const secretField: RegExp =
  /^(?:password|passwd|passphrase|secret|secret[_-]?key|api[_-]?key|client[_-]?secret|access[_-]?token|private[_-]?key)$/i

/** A text without secrets: each stands as `[secret: kind]`. The same text if it has none. */
export function withoutSecrets(text: string): string {
  let clean = text
  for (const { name, pattern } of secretPatterns) clean = clean.replaceAll(pattern, `[secret: ${name}]`)
  return clean
}
