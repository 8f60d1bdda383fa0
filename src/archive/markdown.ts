import { defined } from '../domain/defined.ts'
import type { Fact } from '../domain/fact.ts'
import type { Message } from '../domain/message.ts'
import type { MediaSource, Part, ToolOutput } from '../domain/part.ts'
import { objectText } from '../knowledge/fact-text.ts'

/** The part of a session that its Markdown is made from: one here, or one behind a server. */
interface Readable {
  readonly id: string
  history(options: { readonly after: number; readonly limit: number }): Promise<readonly Message[]>
}

interface Knowing {
  readonly name: string
  facts(options: {
    readonly includeClosed: boolean
    readonly order: 'oldest'
    readonly limit: number
    readonly after?: string
  }): Promise<readonly Fact[]>
}

const PAGE = 200

/** A conversation to be read by people: everything ever said, in its last revision, page by page. */
export async function* sessionMarkdown(session: Readable): AsyncGenerator<string> {
  yield `# ${inline(session.id)}\n`
  for (let after = 0; ;) {
    const page = await session.history({ after, limit: PAGE })
    for (const message of page) yield `\n${messageMarkdown(message)}\n`
    const last = page.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}

function messageMarkdown(message: Message): string {
  const { seq, role, name, at, tags = [], removed, revision } = message
  const notes = [
    at,
    ...(revision > 0 ? [`revision ${revision}`] : []),
    ...(removed === true ? ['removed from the window'] : []),
    ...tags.map((tag) => `#${inline(tag)}`),
  ]
  const head = `## ${seq}. ${role}${name === undefined ? '' : ` (${inline(name)})`}`
  return [head, `_${notes.join(' · ')}_`, ...message.parts.map(partMarkdown)].join('\n\n')
}

function partMarkdown(part: Part): string {
  switch (part.type) {
    case 'text':
      return quoted(part.text)
    case 'reasoning':
      return `_thinks:_\n\n${quoted(part.text)}`
    case 'tool-call':
      return `**→ ${inline(part.name)}** ${code(part.id)}\n\n${fenced(part.arguments, 'json')}`
    case 'tool-result': {
      const failed = part.outcome !== undefined && part.outcome !== 'ok' ? ` (${part.outcome})` : ''
      const answers = part.callId === undefined ? '' : ` ${code(part.callId)}`
      return `**← ${inline(part.name ?? 'result')}${failed}**${answers}\n\n${outputMarkdown(part.output)}`
    }
    case 'agent-call':
      return `**⇒ ${inline(part.agent)}**\n\n${fenced(JSON.stringify(part.request, null, 2), 'json')}`
    case 'data':
      return `**${inline(part.kind)}**\n\n${fenced(JSON.stringify(part.data, null, 2), 'json')}`
    default:
      return mediaMarkdown(part.type, part.source)
  }
}

function outputMarkdown(output: ToolOutput): string {
  if (output.type === 'text') return fenced(output.text)
  if (output.type === 'json') return fenced(JSON.stringify(output.value, null, 2), 'json')
  return output.parts
    .map((part) => (part.type === 'text' ? fenced(part.text) : mediaMarkdown(part.type, part.source)))
    .join('\n\n')
}

function mediaMarkdown(type: string, source: MediaSource): string {
  if (source.type === 'url') return `[${type}] ${code(source.url)}`
  return source.type === 'blob' ? `[${type}] ${source.bytes} bytes, ${code(source.hash)}` : `[${type}]`
}

/** What a scope and its ancestors know, by subject, with sources: also what was true before. */
export async function* factsMarkdown(scope: Knowing): AsyncGenerator<string> {
  yield `# What ${inline(scope.name)} knows\n`
  // Facts come oldest first; grouped by subject they are read better, and one scope's facts fit in memory.
  const bySubject = new Map<string, Fact[]>()
  for (let after: string | undefined; ;) {
    const page = await scope.facts({
      includeClosed: true,
      order: 'oldest',
      limit: PAGE,
      ...defined({ after }),
    })
    for (const fact of page) {
      const subject = fact.subject ?? ''
      bySubject.set(subject, [...(bySubject.get(subject) ?? []), fact])
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last.id
  }
  for (const [subject, facts] of [...bySubject].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    yield `\n## ${subject === '' ? 'Notes' : inline(subject)}\n\n`
    for (const fact of facts) yield `${factMarkdown(fact)}\n`
  }
}

function factMarkdown(fact: Fact): string {
  const { predicate, object, state, validFrom, validTo, trust, sourceCount, sources, scope } = fact
  const time =
    validFrom === null && validTo === null
      ? []
      : [`${validFrom?.slice(0, 10) ?? '…'} to ${validTo?.slice(0, 10) ?? 'now'}`]
  const last = sources.at(-1)
  const from =
    last === undefined
      ? []
      : [
          last.type === 'message'
            ? `from ${inline(last.session)} ${code(last.id)}`
            : last.type === 'fact'
              ? `from fact ${code(last.id)}`
              : last.type,
        ]
  const notes = [
    ...(state === 'current' ? [] : [state]),
    ...time,
    `trust ${trust}`,
    ...from,
    ...(sourceCount > 1 ? [`${sourceCount} sources`] : []),
    inline(scope),
  ]
  const said = `**${inline(predicate)}** ${inline(objectText(object))}`
  return `- ${state === 'current' ? said : `~~${said}~~`} _(${notes.join(' · ')})_`
}

/** Said by somebody: every line is quoted, so no line of it can be a heading or end anything of ours. */
function quoted(text: string): string {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** Fenced by more marks than the text has in a row. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([marks]) => marks.length))
  const mark = '`'.repeat(longest + 1)
  return longest === 0 ? `${mark}${line}${mark}` : `${mark} ${line} ${mark}`
}

/** On one line, with nothing in it that Markdown obeys. */
function inline(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~]/g, String.raw`\$&`)
}
