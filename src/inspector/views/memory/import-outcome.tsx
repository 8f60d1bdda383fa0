import type { JSX } from 'preact'
import type { Imported } from '../../../api/archive.ts'
import type { ImportReport } from '../../../api/imports.ts'
import { addressOf } from '../../data/place.ts'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'

interface ImportOutcomeProps {
  readonly scope: string
  readonly report: ImportReport | undefined
  readonly stored: Imported | undefined
}

/** What an import brings in, or brought in, in words and numbers. */
export function ImportOutcome({ scope, report, stored }: ImportOutcomeProps): JSX.Element {
  if (stored !== undefined)
    return (
      <p class="words" role="status">
        The archive was imported: {written.count(stored.sessions, 'session')} with{' '}
        {written.count(stored.messages, 'message')}.
      </p>
    )
  if (report === undefined)
    return <p class="words">An archive of Daybook. What is in it and not here yet is added; nothing is changed.</p>
  const skipped = Object.entries(report.skippedCount)
  return (
    <>
      <p class="words" role="status">
        {report.dryRun ? 'Dry run, nothing is stored yet. ' : 'Imported. '}
        {written.count(report.conversations, 'conversation')} in {written.count(report.fileCount, 'file')}
        {report.files[0]?.format === null || report.files[0] === undefined ? '' : `, as ${report.files[0].format}`}.
      </p>
      <table class="ledger">
        <tbody>
          <Line name="New messages" number={report.messages.new} />
          <Line name="Messages that were here already" number={report.messages.present} />
          <Line name="Messages that are here with other content, which stays" number={report.messages.changed} />
          <Line name="New facts" number={report.facts.new} />
          <Line name="Facts that were here already" number={report.facts.present} />
          {skipped.map(([reason, number]) => (
            <Line key={reason} name={`Skipped: ${reason}`} number={number} />
          ))}
        </tbody>
      </table>
      {report.warnings?.map((warning) => (
        <p class="words" key={warning}>
          <PlainText text={warning} />
        </p>
      ))}
      {report.sessions.length > 0 && (
        <ul class="plain-list">
          {report.sessions.slice(0, SHOWN).map(({ session, messages, title }) => (
            <li key={session}>
              {report.dryRun ? (
                <PlainText text={title ?? session} />
              ) : (
                <a href={addressOf('/session', { scope, id: session })}>
                  <PlainText text={title ?? session} />
                </a>
              )}{' '}
              <span class="dim">{written.count(messages, 'message')}</span>
            </li>
          ))}
          {report.sessionCount > SHOWN && (
            <li class="dim">and {written.count(report.sessionCount - SHOWN, 'more session')}</li>
          )}
        </ul>
      )}
      {report.skipped.length > 0 && (
        <details>
          <summary>What was skipped, and why</summary>
          <ul class="plain-list">
            {report.skipped.slice(0, SHOWN).map(({ place, reason, message }, index) => (
              <li key={index}>
                <PlainText text={place.line === undefined ? place.file : `${place.file}, line ${place.line}`} />:{' '}
                {reason}, <PlainText text={message.slice(0, 300)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

const SHOWN = 20

function Line({ name, number }: { readonly name: string; readonly number: number }): JSX.Element | null {
  if (number === 0) return null
  return (
    <tr>
      <td>{name}</td>
      <td class="num">{written.number(number)}</td>
    </tr>
  )
}
