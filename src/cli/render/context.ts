import type { Draft, Message } from '../../domain/message.ts'
import type { Context } from '../../api/contexts.ts'
import { terminalLine } from '../visible.ts'
import { number, ranges, shortened, wrap } from './layout.ts'
import { renderPart } from './part.ts'
import { kindsOfTokens } from './kinds-of-tokens.ts'
import type { EntriesLook } from './session.ts'

const LINE_CHARACTERS_MAX = 160

/** What a model would read, then where its tokens go and what was left out. */
export function renderContext(context: Context, look: EntriesLook): string {
  const { tokens, lines, repairs } = context.receipt
  const left = lines.flatMap((line) =>
    line.type === 'left-out'
      ? [
          `left out ${ranges(line.sources)}: ${line.why}, ${number(line.tokens)} tokens${line.id === undefined ? '' : `, reopen ${line.id}`}`,
        ]
      : [],
  )
  const kinds = kindsOfTokens.filter((kind) => tokens[kind] !== 0).map((kind) => `${kind} ${number(tokens[kind])}`)
  const { equalTokens, totalTokens, breakpoints } = context.cache
  return [
    ...context.messages.map((draft, index) => draftText(draft, index, look)),
    [
      `${number(tokens.total)} of ${number(tokens.budget)} tokens${tokens.exact ? '' : ', estimated'}: ${kinds.join(' · ')}`,
      `cache: ${number(equalTokens)} of ${number(totalTokens)} tokens as before, breakpoints after ${breakpoints.join(', ')}`,
      ...left,
      ...repairs.map((repair) => `repaired: ${terminalLine(repair)}`),
    ]
      .map((line) => look.paint('dim', line))
      .join('\n'),
  ].join('\n\n')
}

function draftText(draft: Draft, index: number, look: EntriesLook): string {
  const { seq } = draft as Partial<Message>
  const place = seq === undefined ? 'made for this context' : `[${seq}]`
  const name = draft.name === undefined ? '' : ` ${terminalLine(draft.name)}`
  const head = `${look.paint('bold', `#${index}`)} ${draft.role}${name} ${look.paint('dim', place)}`
  const width = look.width === undefined ? undefined : look.width - 2
  const parts = draft.parts.map((part) => renderPart(part, look))
  const beginning = shortened(parts.join(' ').replaceAll('\n', ' '), LINE_CHARACTERS_MAX)
  const shown = (look.full ? parts : [beginning]).flatMap((text) => wrap(text, width))
  return [head, ...shown.map((line) => `  ${line}`.trimEnd())].join('\n')
}
