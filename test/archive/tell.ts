import type { ImportReport } from '../../src/api/imports.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Part } from '../../src/domain/part.ts'

/** Everything a scope holds, as text that a person can read: what an import is compared by. */
export async function tellScope(memory: Memory, name: string): Promise<string> {
  const scope = memory.scope(name)
  const lines: string[] = []
  const { sessions } = await scope.sessions({ limit: 1_000 })
  for (const { id, forkOf } of sessions.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    lines.push(`session ${id}${forkOf === null ? '' : ` (of ${forkOf.id} at ${forkOf.at})`}`)
    for (const message of await scope.session(id).history({ limit: 100_000 })) {
      const head = [message.seq, message.id, message.role, ...(message.name === undefined ? [] : [message.name])]
      const trust = message.imported === true ? '' : ' NOT MARKED'
      lines.push(`  ${head.join(' ')}${trust}: ${message.parts.map(tellPart).join(' | ')}`)
    }
  }
  for (const fact of await scope.facts({
    order: 'oldest',
    includeClosed: true,
    state: ['quarantined', 'current', 'closed'],
    limit: 1_000,
  }))
    lines.push(
      `fact, ${fact.state}, trust ${fact.trust}: ${fact.text}${fact.tags.length === 0 ? '' : ` #${fact.tags}`}`,
    )
  return `${lines.join('\n')}\n`
}

function tellPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return JSON.stringify(part.text)
    case 'reasoning':
      return `thought ${JSON.stringify(part.text)}`
    case 'tool-call':
      return `call ${part.id} ${part.name}(${part.arguments})`
    case 'tool-result':
      return `result of ${part.callId ?? 'nothing'} ${part.name ?? ''}: ${JSON.stringify(part.output)}`
    case 'data':
      return `${part.kind} ${JSON.stringify(part.data)}`
    case 'agent-call':
      return `agent ${part.agent}`
    default:
      return `${part.type} ${JSON.stringify(part.source)}`
  }
}

/** A report without what differs between a dry run and the import. */
export function tellReport({ files, skipped, messages, facts, sessions, ...rest }: ImportReport): string {
  return [
    ...files.map(({ file, format, records }) => `file ${file}: ${format ?? 'nothing known'}, records: ${records}`),
    ...sessions.map((session) => `session ${JSON.stringify(session)}`),
    ...skipped.map(({ place, reason, message }) => `skipped ${JSON.stringify(place)}: ${reason}: ${message}`),
    `messages ${JSON.stringify(messages)}, facts ${JSON.stringify(facts)}`,
    JSON.stringify({ ...rest, dryRun: undefined }),
    '',
  ].join('\n')
}
