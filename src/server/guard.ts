import type { Arrived } from './arrived.ts'
import { checkOrigin, checkTarget } from './middleware/check-origin.ts'

/** Decides which requests are meant for this server, and which pages of other sites may read its responses. */
export class Guard {
  readonly #hosts: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>

  constructor(hosts: readonly string[], origins: readonly string[] = []) {
    this.#hosts = new Set(hosts.map((host) => host.toLowerCase()))
    this.#origins = new Set(origins)
  }

  /** `target` is what the request line asked for, where that is known. @throws {MemoryError} `access/forbidden` */
  check(headers: Arrived['headers'], target: string | undefined): void {
    checkOrigin(headers, this.#hosts, this.#origins)
    checkTarget(target, this.#hosts)
  }

  /** The origin of a page that may call the server from elsewhere. */
  sharedWith(headers: Arrived['headers']): string | undefined {
    const origin = headers.get('origin')
    return origin !== null && this.#origins.has(origin) ? origin : undefined
  }

  /** What every response says to browsers. */
  headersFor(headers: Arrived['headers']): Readonly<Record<string, string>> {
    if (this.#origins.size === 0) return OWN
    const shared = this.sharedWith(headers)
    if (shared === undefined) return { ...OWN, vary: 'origin' }
    const open = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': shared }
    return { ...OWN, ...open, vary: 'origin' }
  }
}

const OWN = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }
