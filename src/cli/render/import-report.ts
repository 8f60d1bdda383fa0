import type { ImportReport } from '../../archive/report.ts'
import type { Place } from '../../archive/importers/found.ts'
import type { Look } from '../look.ts'
import { oneLine } from '../visible.ts'
import { counted, number } from './layout.ts'

const SESSIONS_SHOWN = 20
const SKIPPED_SHOWN = 20

export function importReport(report: ImportReport, look: Look): string {
  const { dryRun, messages, facts, sessions, skipped, skippedCount, sessionCount, branchCount } = report
  const total = Object.values(skippedCount).reduce((sum, count) => sum + count, 0)
  return [
    ...report.files.map(({ file, format, records }) =>
      look.paint('dim', `${oneLine(file)}: ${format ?? 'not read'}, ${counted(records, 'record')}`),
    ),
    ...more(report.fileCount, report.files.length, 'file'),
    ...sessions.slice(0, SESSIONS_SHOWN).map(({ session, title, from, messages: count }) => {
      const name = title === undefined ? oneLine(session) : `${oneLine(session)}  ${oneLine(title)}`
      return `${name}  ${counted(count, 'message')}${from === undefined ? '' : `, branch of ${oneLine(from)}`}`
    }),
    ...more(sessionCount, Math.min(sessions.length, SESSIONS_SHOWN), 'session'),
    ...skipped
      .slice(0, SKIPPED_SHOWN)
      .map(({ place, reason, message }) => look.paint('yellow', `${placeText(place)}: ${reason}: ${oneLine(message)}`)),
    ...Object.entries(skippedCount).map(([reason, count]) => `not brought in, ${reason}: ${number(count)}`),
    `${dryRun ? 'Would bring in' : 'Brought in'} ${counted(messages.new, 'message')} in ${counted(sessionCount, 'session')} (${counted(branchCount, 'branch').replace(/branchs$/, 'branches')}) and ${counted(facts.new, 'fact')}`,
    `Already here: ${counted(messages.present, 'message')}, ${counted(facts.present, 'fact')}${messages.changed === 0 ? '' : `; ${counted(messages.changed, 'message')} here with other content, left as they are`}${total === 0 ? '' : `; left out: ${number(total)}`}`,
  ].join('\n')
}

function more(all: number, shown: number, word: string): readonly string[] {
  return all > shown ? [`and ${counted(all - shown, `more ${word}`)}`] : []
}

function placeText({ file, line, item, id }: Place): string {
  const where = line === undefined ? (item === undefined ? '' : ` item ${item}`) : ` line ${line}`
  return `${oneLine(file)}${where}${id === undefined ? '' : ` (${oneLine(id)})`}`
}
