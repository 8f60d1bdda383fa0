/** Whether a text is an address of PostgreSQL. It may name several servers, or none for a socket, and then is not a URL. */
export function isPostgresAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//i.test(text)) return false
  const [, start = '', hosts = '', rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  return hosts.split(',').every((host) => {
    const address = `${start}${host === '' ? 'localhost' : host}${rest}`
    if (!URL.canParse(address)) return false
    const { username, password, pathname } = new URL(address)
    return [username, password, pathname].every(isDecodable)
  })
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
