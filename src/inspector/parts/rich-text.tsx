import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { written } from './numbers.ts'
import { PlainText } from './plain-text.tsx'

/** Longer texts are shown in part, so that one message cannot stop the page. */
const CHARACTERS_SHOWN = 64_000

interface RichTextProps {
  readonly text: string
  /** Lists, code and headings are set as such. Of text that nobody trusts, nothing is. */
  readonly formatted?: boolean
}

/** What was said. Markdown decides only about type and space: nothing in it can load, link or run. */
export function RichText({ text, formatted = true }: RichTextProps): JSX.Element {
  const [all, setAll] = useState(false)
  const shown = all ? text : text.slice(0, CHARACTERS_SHOWN)
  return (
    <div class="text">
      {formatted ? (
        blocksOf(shown).map(block)
      ) : (
        <p class="as-written">
          <PlainText text={shown} />
        </p>
      )}
      {shown.length < text.length && (
        <p class="cut-note">
          The first {written.number(shown.length)} of {written.number(text.length)} characters.{' '}
          <button type="button" class="link" onClick={() => setAll(true)}>
            Show everything
          </button>
        </p>
      )}
    </div>
  )
}

type Block =
  | { readonly type: 'code' | 'paragraph' | 'heading'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly string[] }

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  let paragraph: string[] = []
  const flush = (): void => {
    const said = paragraph.join('\n').trim()
    if (said !== '') blocks.push({ type: 'paragraph', text: said })
    paragraph = []
  }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('```')) {
      flush()
      const end = lines.findIndex((other, index) => index > at && other.startsWith('```'))
      const last = end === -1 ? lines.length : end
      blocks.push({ type: 'code', text: lines.slice(at + 1, last).join('\n') })
      at = last
    } else if (/^#{1,6} /.test(line)) {
      flush()
      blocks.push({ type: 'heading', text: line.replace(/^#+ /, '') })
    } else if (/^\s*([-*]|\d{1,3}\.) /.test(line)) {
      flush()
      const items: string[] = []
      while (/^\s*([-*]|\d{1,3}\.) /.test(lines[at] ?? '')) {
        items.push((lines[at] ?? '').replace(/^\s*[-*] /, ''))
        at += 1
      }
      at -= 1
      blocks.push({ type: 'list', items })
    } else if (line.trim() === '') flush()
    else paragraph.push(line)
  }
  flush()
  return blocks
}

function block(found: Block, index: number): JSX.Element {
  if (found.type === 'list')
    return (
      <ul key={index}>
        {found.items.map((item, at) => (
          <li key={at}>{inline(item)}</li>
        ))}
      </ul>
    )
  if (found.type === 'code')
    return (
      <pre key={index} tabIndex={0} aria-label="Code">
        <PlainText text={found.text} />
      </pre>
    )
  return found.type === 'heading' ? (
    <p key={index} class="heading">
      {inline(found.text)}
    </p>
  ) : (
    <p key={index}>{inline(found.text)}</p>
  )
}

/** Code and bold; everything else is as it was written. */
function inline(text: string): ComponentChildren {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((piece, index) => {
    if (/^`[^`]+`$/.test(piece))
      return (
        <code key={index}>
          <PlainText text={piece.slice(1, -1)} />
        </code>
      )
    if (/^\*\*[^*]+\*\*$/.test(piece))
      return (
        <b key={index}>
          <PlainText text={piece.slice(2, -2)} />
        </b>
      )
    return <PlainText key={index} text={piece} />
  })
}
