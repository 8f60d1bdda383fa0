import type { JSX } from 'preact'
import type { Fold, SeqRange } from '../../../domain/fold.ts'
import { mayDo } from '../../data/signed-in.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import type { RowFold } from '../session/row-model.ts'
import { MarginEntry } from './margin-entry.tsx'

interface FoldCardProps {
  readonly fold: RowFold
  readonly open: boolean
  readonly onToggle: () => void
  /** Takes the compaction back that made it. */
  readonly onUndo?: (() => Promise<unknown>) | undefined
}

/** What stands for messages in the window: as the model reads it, and the messages themselves on request. */
export function FoldCard({ fold, open, onToggle, onUndo }: FoldCardProps): JSX.Element {
  const { kind, why, sources, messages, tokens, standIn } = fold
  const texts = standIn.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'text'
        ? [part.text]
        : part.type === 'tool-call'
          ? [`${part.name}(${part.arguments})`]
          : part.type === 'tool-result' && part.output.type === 'text'
            ? [part.output.text]
            : [],
    ),
  )
  const title =
    kind === 'drop'
      ? `${written.count(messages, 'message')} left out`
      : `${written.count(messages, 'message')} in ${written.number(tokens)} tokens`
  return (
    <MarginEntry
      number={rangesText(sources)}
      tokens={tokens}
      lane="fold"
      note={`${written.number(messages)} folded`}
      label={`${rangesText(sources)}, ${title}`}
    >
      <section class="fold-card">
        <header>
          <Icon name="fold" />
          <span>{title}</span>
          <span class="why">{kind === undefined ? (why === 'compacted' ? '' : why) : kindWords[kind]}</span>
          <span class="fold-buttons">
            {onUndo !== undefined && mayDo('write') && (
              <ActionButton run={onUndo}>
                <Icon name="undo" size={14} /> Undo
              </ActionButton>
            )}
            <button type="button" class="btn is-small is-quiet" aria-expanded={open} onClick={onToggle}>
              {open ? 'Close' : 'Open'} <Icon name={open ? 'up' : 'down'} size={12} />
            </button>
          </span>
        </header>
        {texts.map((text, index) => (
          <p key={index} class="stand-in">
            <PlainText text={text.slice(0, 20_000)} />
          </p>
        ))}
        {open && (
          <p class="originals">
            <Icon name="lines" size={14} />
            The originals follow, as the log has them.
          </p>
        )}
      </section>
    </MarginEntry>
  )
}

const kindWords: Readonly<Record<Fold['kind'], string>> = {
  offload: 'a large payload, moved out of the window',
  truncate: 'shortened',
  merge: 'tool traffic, merged',
  summary: 'summarised',
  drop: 'dropped from the window',
}

function rangesText(ranges: readonly SeqRange[]): string {
  const texts = ranges.map(({ from, through }) => (from === through ? `${from}` : `${from}–${through}`))
  return texts.length > 3 ? `${texts.slice(0, 2).join(', ')} … ${texts.at(-1) ?? ''}` : texts.join(', ')
}
