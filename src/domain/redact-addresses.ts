const HIDDEN = '***'

/**
 * How an address begins, also a misspelt one: `postgres://`, `postgress:/`, `postgres:user`. Every repetition is bounded, so that
 * a long text is read in linear time.
 */
const BEGINNING = String.raw`\b(?:[a-z][a-z0-9+.-]{0,40}:\/{1,3}|postgres[a-z]{0,40}:?\/{0,3})`
/** In quotation marks an address may hold blanks; elsewhere it ends with one. Up to the last `@`: a password may hold one. */
const QUOTED = new RegExp(String.raw`(["'\`]${BEGINNING})((?:\\.|(?!\1)[^"'\`\\]){0,1000})@`, 'gi')
const PLAIN = new RegExp(String.raw`(${BEGINNING})([^\s"'\`<>]{0,1000})@`, 'gi')
const PARAMETERS = /([?&#;](?:password|passwd|pwd|sslpassword|key|token|secret)=)[^\s&#;"'`<>]+/gi

/** A text in which addresses show neither passwords nor keys: `postgres://ada:***@db.example/name`. */
export function redactAddresses(text: string): string {
  if (!text.includes('@') && !text.includes('=')) return text
  return text.replaceAll(QUOTED, hidePassword).replaceAll(PLAIN, hidePassword).replaceAll(PARAMETERS, `$1${HIDDEN}`)
}

function hidePassword(_whole: string, beginning: string, account: string): string {
  const [user = '', ...password] = account.split(':')
  return password.length === 0 ? `${beginning}${account}@` : `${beginning}${user}:${HIDDEN}@`
}
