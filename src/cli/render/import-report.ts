import type { ImportLocation, ImportReport } from '../../api/imports.ts'
import type { Look } from '../look.ts'
import { terminalLine } from '../visible.ts'
import { counted, number } from './layout.ts'

const SESSIONS_SHOWN = 20
const SKIPPED_SHOWN = 20

export function importReport(report: ImportReport, look: Look): string {
  const { dryRun, messages, facts, sessions, skipped, skippedCount, sessionCount, branchCount } = report
  const total = Object.values(skippedCount).reduce((sum, count) => sum + count, 0)
  return [
    ...report.files.map(({ file, format, records }) =>
      look.paint('dim', `${terminalLine(file)}: ${format ?? 'not read'}, ${counted(records, 'record')}`),
    ),
    ...more(report.fileCount, report.files.length, 'file'),
    ...sessions.slice(0, SESSIONS_SHOWN).map(({ session, title, from, messages: count }) => {
      const name = title === undefined ? terminalLine(session) : `${terminalLine(session)}  ${terminalLine(title)}`
      return `${name}  ${counted(count, 'message')}${from === undefined ? '' : `, branch of ${terminalLine(from)}`}`
    }),
    ...more(sessionCount, Math.min(sessions.length, SESSIONS_SHOWN), 'session'),
    ...skipped
      .slice(0, SKIPPED_SHOWN)
      .map(({ place, reason, message }) =>
        look.paint('yellow', `${placeText(place)}: ${reason}: ${terminalLine(message)}`),
      ),
    ...Object.entries(skippedCount).map(([reason, count]) => `not brought in, ${reason}: ${number(count)}`),
    `${dryRun ? 'Would bring in' : 'Brought in'} ${counted(messages.new, 'message')} in ${counted(sessionCount, 'session')} (${counted(branchCount, 'branch').replace(/branchs$/, 'branches')}) and ${counted(facts.new, 'fact')}`,
    `Already here: ${counted(messages.present, 'message')}, ${counted(facts.present, 'fact')}${messages.changed === 0 ? '' : `; ${counted(messages.changed, 'message')} here with other content, left as they are`}${total === 0 ? '' : `; left out: ${number(total)}`}`,
  ].join('\n')
}

function more(all: number, shown: number, word: string): readonly string[] {
  return all > shown ? [`and ${counted(all - shown, `more ${word}`)}`] : []
}

function placeText({ file, line, item, id }: ImportLocation): string {
  const where = line === undefined ? (item === undefined ? '' : ` item ${item}`) : ` line ${line}`
  return `${terminalLine(file)}${where}${id === undefined ? '' : ` (${terminalLine(id)})`}`
}
