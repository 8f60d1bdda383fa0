import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Draft } from '../../../domain/message.ts'
import type { Part } from '../../../domain/part.ts'
import { Icon } from '../../parts/icon.tsx'
import { written } from '../../parts/numbers.ts'
import { resultText } from '../../parts/result-text.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { RichText } from '../../parts/rich-text.tsx'
import { MediaCard } from './media-card.tsx'

const PREVIEW = 120

interface MessagePartsProps {
  readonly scope: string
  readonly draft: Pick<Draft, 'role' | 'parts'>
}

/** The parts of a message, each as text. */
export function MessageParts({ scope, draft }: MessagePartsProps): JSX.Element {
  return (
    <>
      {draft.parts.map((part, index) => (
        <OnePart key={index} part={part} role={draft.role} scope={scope} />
      ))}
    </>
  )
}

interface OnePartProps extends Omit<MessagePartsProps, 'draft'> {
  readonly part: Part
  readonly role: Draft['role']
}

function OnePart({ part, role, scope }: OnePartProps): JSX.Element {
  switch (part.type) {
    case 'text':
      return <RichText text={part.text} formatted={role !== 'tool'} />
    case 'reasoning':
      return <Foldable what="reasoning" first={part.text} whole={part.text} />
    case 'tool-call':
      return (
        <div class="tool">
          <div>
            <Icon name="tool" size={14} />
            <code class="grow">
              <span class="function-name">
                <PlainText text={part.name} />
              </span>
              (<PlainText text={part.arguments.slice(0, 2_000)} />)
            </code>
            <span class="dim">
              <PlainText text={part.id} />
            </span>
          </div>
        </div>
      )
    case 'tool-result': {
      const text = resultText(part.output)
      return (
        <Foldable
          what="result"
          first={text}
          whole={text}
          bad={part.outcome !== undefined && part.outcome !== 'ok' ? part.outcome : undefined}
          from={part.name ?? part.callId}
        />
      )
    }
    case 'agent-call':
      return (
        <Foldable what="request" first={part.agent} whole={JSON.stringify(part.request, null, 2)} from={part.agent} />
      )
    case 'data':
      return <Foldable what="data" first={part.kind} whole={JSON.stringify(part.data, null, 2)} from={part.kind} />
    default:
      return <MediaCard part={part} scope={scope} />
  }
}

interface FoldableProps {
  /** "result": what the button shows and hides. */
  readonly what: string
  readonly first: string
  readonly whole: string
  readonly from?: string | undefined
  readonly bad?: string | undefined
}

/** One line of something long, and the whole of it on request. */
function Foldable({ what, first, whole, from, bad }: FoldableProps): JSX.Element {
  const [open, setOpen] = useState(false)
  const line = first
    .slice(0, PREVIEW * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, PREVIEW)
  return (
    <div class="tool is-result">
      <div>
        <Icon name={bad === undefined ? 'check' : 'warning'} size={14} />
        {bad !== undefined && <b class="bad-text">{bad}</b>}
        <span class="grow line-preview">
          {from !== undefined && (
            <span class="function-name">
              <PlainText text={from} />{' '}
            </span>
          )}
          <PlainText text={line} />
        </span>
        <span class="num dim hide-small">{written.count(whole.length, 'character')}</span>
        <button type="button" class="btn is-quiet is-small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? `Hide ${what}` : `Show ${what}`}
        </button>
      </div>
      {open && (
        <div class="tool-whole" tabIndex={0} role="region" aria-label={what}>
          <RichText text={whole} formatted={false} />
        </div>
      )}
    </div>
  )
}
