import type { Damage } from '../api/upkeep.ts'
import { isSealed } from '../domain/sealed.ts'
import type { IntegrityStore } from '../ports/integrity-store.ts'
import type { AmendmentRow, MessageRow, SessionHead, ToolLink } from '../ports/log-store.ts'
import { readBody } from './body.ts'
import { toolLinks } from './tool-links.ts'

/** Compares the stored pairs of tool calls and results of a session with what its messages say. */
export class LinkCheck {
  readonly #integrity: Pick<IntegrityStore, 'links'>
  readonly #session: SessionHead
  #expected = 0
  #found = 0
  #isSealed = false
  /** By message, the links that it and its revisions have; only of messages to which a revision added some. */
  readonly #added = new Map<number, ReadonlySet<string>>()

  constructor(integrity: Pick<IntegrityStore, 'links'>, session: SessionHead) {
    this.#integrity = integrity
    this.#session = session
  }

  async rows(rows: readonly MessageRow[]): Promise<void> {
    this.#isSealed ||= rows.some(({ body }) => isSealed(body))
    const links = rows.flatMap(({ seq, body }) => linksOf(seq, body))
    if (links.length === 0) return
    this.#expected += links.length
    this.#found += await this.#integrity.links(this.#session, links)
  }

  /** Calls that a revision added. */
  async revision({ seq, body }: Pick<AmendmentRow, 'seq' | 'body'>, before: string): Promise<void> {
    const known = this.#added.get(seq) ?? new Set(linksOf(seq, before).map(nameOf))
    const links = linksOf(seq, body).filter((link) => !known.has(nameOf(link)))
    if (links.length === 0) return
    this.#added.set(seq, new Set([...known, ...links.map(nameOf)]))
    this.#expected += links.length
    this.#found += await this.#integrity.links(this.#session, links)
  }

  async end(): Promise<readonly Damage[]> {
    if (this.#isSealed) return []
    const all = await this.#integrity.links(this.#session)
    if (this.#found === this.#expected && all === this.#expected) return []
    return [
      {
        scope: this.#session.scope,
        session: this.#session.name,
        seq: null,
        what: 'row',
        data: 'derived',
        message: `The stored pairs of tool calls and results are not what the messages say: expected ${this.#expected}, found ${this.#found} of them and ${all} in all`,
        remedy: 'restore',
      },
    ]
  }
}

function linksOf(seq: number, body: string): readonly ToolLink[] {
  if (!body.includes('"tool-')) return []
  try {
    const links = toolLinks(seq, readBody(body).parts)
    return [...new Map(links.map((link) => [nameOf(link), link])).values()]
  } catch {
    return [] // a body that no longer parses was reported by its digest
  }
}

function nameOf({ kind, callId }: ToolLink): string {
  return `${kind} ${callId}`
}
