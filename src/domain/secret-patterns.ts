/** One kind of secret: how it is written, and which group of the pattern is the secret itself. */
interface SecretPattern {
  readonly kind: string
  /** What a text must have in it, in lower case, before it is worth the pattern: most texts have none of them. */
  readonly hints: readonly string[]
  /** Global. Every repetition is bounded and none is inside another, so that no text takes more than linear time. */
  readonly pattern: RegExp
  /** @default the whole match */
  readonly group?: number
  /** Chosen by a person, so a hash of it could be guessed: it is not shown. @default false */
  readonly guessable?: boolean
  /** @default always */
  readonly accept?: (secret: string) => boolean
  /** Where it is not accepted: whether one who wants no secrets stored would rather lose it. @default never */
  readonly suspect?: (secret: string, match: string) => boolean
}

/**
 * One list for the doctor, who finds them, and for the scrubber, which keeps them out. Written so that a hit is nearly always a secret: providers give their tokens prefixes for this very purpose. What has no
 * mark of its own counts only behind a name such as `password =`.
 */
export const secretPatterns: readonly SecretPattern[] = [
  { kind: 'Anthropic key', hints: ['sk-ant-'], pattern: /\bsk-ant-[\w-]{20,200}/g },
  { kind: 'OpenRouter key', hints: ['sk-or-v1-'], pattern: /\bsk-or-v1-[0-9a-f]{64}\b/g },
  { kind: 'OpenAI key', hints: ['sk-'], pattern: /\bsk-(?:proj|svcacct|admin)-[\w-]{20,200}/g },
  { kind: 'OpenAI key', hints: ['sk-'], pattern: /\bsk-[A-Za-z0-9]{32,64}\b/g, accept: isMixed },
  { kind: 'AWS access key', hints: ['akia', 'asia'], pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g, accept: isNoExample },
  {
    kind: 'AWS secret key',
    hints: ['secret'],
    pattern: /\baws_?secret_?(?:access_?)?key\W{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi,
    group: 1,
    accept: isNoExample,
  },
  {
    kind: 'GitHub token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /\bgh[pousr]_[A-Za-z0-9]{36,255}/g,
  },
  {
    kind: 'GitHub token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/g,
  },
  { kind: 'GitLab token', hints: ['glpat-'], pattern: /\bglpat-[\w-]{20,60}/g },
  { kind: 'Slack token', hints: ['xox'], pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{20,200}/g },
  {
    kind: 'Slack webhook',
    hints: ['hooks.slack.com'],
    pattern: /\bhooks\.slack\.com\/services\/T\w{6,20}\/B\w{6,20}\/(\w{20,40})/g,
    group: 1,
  },
  { kind: 'Stripe key', hints: ['k_live_', 'k_test_'], pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g },
  { kind: 'Google key', hints: ['aiza'], pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { kind: 'Google token', hints: ['ya29.'], pattern: /\bya29\.[\w-]{30,400}/g },
  { kind: 'Google client secret', hints: ['gocspx-'], pattern: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  { kind: 'npm token', hints: ['npm_'], pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'PyPI token', hints: ['pypi-'], pattern: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,300}/g },
  { kind: 'Hugging Face token', hints: ['hf_'], pattern: /\bhf_[A-Za-z0-9]{34,64}\b/g },
  { kind: 'SendGrid key', hints: ['sg.'], pattern: /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  { kind: 'Telegram token', hints: [':aa'], pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { kind: 'DigitalOcean token', hints: ['_v1_'], pattern: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
  { kind: 'Shopify token', hints: ['shp'], pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g },
  { kind: 'Databricks token', hints: ['dapi'], pattern: /\bdapi[0-9a-f]{32}\b/g },
  { kind: 'Groq key', hints: ['gsk_'], pattern: /\bgsk_[A-Za-z0-9]{52}\b/g },
  { kind: 'Replicate token', hints: ['r8_'], pattern: /\br8_[A-Za-z0-9]{37}\b/g },
  { kind: 'Daybook key', hints: ['dbk_'], pattern: /\bdbk_[0-9a-f]{16}_[\w-]{43}(?![\w-])/g },
  {
    kind: 'JSON web token',
    hints: ['eyj'],
    pattern: /(?<![\w-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{20,2000}/g,
  },
  {
    kind: 'bearer token',
    hints: ['bearer'],
    pattern: /\bauthorization\W{1,6}bearer\s{1,3}([\w.~+/-]{20,2000}={0,2})/gi,
    group: 1,
    accept: isMixed,
  },
  {
    kind: 'password in an address',
    hints: ['://'],
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>]{1,100}:([^\s:/@"'<>]{4,200})@[\w.-]/gi,
    group: 1,
    guessable: true,
    accept: isNoPlaceholder,
  },
  {
    kind: 'password',
    hints: ['passw', 'passphrase', 'secret', 'key', 'token'],
    pattern:
      /(?:password|passwd|passphrase|passwort|client_?secret|secret_?key|api_?key|access_?token|auth_?token)\\?["']?\s{0,3}(?::|=|\bis\b|\blautet\b)\s{0,3}\\?["']?([^\s"'\\,;<>{}()[\]]{6,200})/gi,
    group: 1,
    guessable: true,
    accept: isChosen,
    suspect: (secret, match) => secret.length >= 8 && /[:=]/.test(match) && isNoPlaceholder(secret),
  },
]

const NAMES =
  /^(?:password|passwd|passphrase|pwd|secret|client_?secret|secret_?key|private_?key|api_?key|access_?token|auth_?token)$/i

/** Whether a field of this name that holds this text holds a secret: `{ "password": "…" }`. Not surely: whatever is in it. */
export function isSecretField(name: string, text: string, sure: boolean): boolean {
  if (!NAMES.test(name.replaceAll('-', '_'))) return false
  return sure ? text.length >= 6 && text.length <= 200 && isChosen(text) : text !== ''
}

const KEY_BEGIN = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g

/** Private keys, from their first line through their last, or through the end where that is missing. */
export function privateKeys(text: string): readonly { readonly from: number; readonly to: number }[] {
  const found: { readonly from: number; readonly to: number }[] = []
  let past = 0
  for (const { index, 0: begin } of text.matchAll(KEY_BEGIN)) {
    if (index < past) continue
    const end = text.indexOf('-----END', index + begin.length)
    const close = end < 0 ? -1 : text.indexOf('-----', end + 8)
    past = close < 0 ? text.length : close + 5
    // Somebody may speak of the line without having a key.
    if (past - index - begin.length >= 64) found.push({ from: index, to: past })
  }
  return found
}

/** Letters and digits: a long word is no key. */
function isMixed(secret: string): boolean {
  return /\d/.test(secret) && /[a-z]/i.test(secret)
}

/** The key that a vendor's own manual shows is nobody's. */
function isNoExample(secret: string): boolean {
  return !/EXAMPLE/i.test(secret)
}

const PLACEHOLDER =
  /^(?:[$<{[*%#]|x{3,}|\.{3}|your|my[-_]|the[-_]|some|change|example|sample|placeholder|redacted|removed|secret|password|process\.|env|null|undefined|true|false|string|none)|\*{3}|\.{3}|…/i

function isNoPlaceholder(secret: string): boolean {
  return !PLACEHOLDER.test(secret)
}

/** What a person or a machine chose as a secret has more than letters in it; a word behind "password:" is prose. */
function isChosen(secret: string): boolean {
  return isNoPlaceholder(secret) && /[a-z]/i.test(secret) && /\d/.test(secret) && !/^[\w.]+\(/.test(secret)
}
