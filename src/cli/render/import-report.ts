import type { ImportLocation, ImportReport } from '../../api/imports.ts'
import type { Look } from '../look.ts'
import { terminalLine } from '../visible.ts'
import { counted, number } from './layout.ts'

const FILES_SHOWN = 1
const SKIPPED_SHOWN = 1

/** With the two lines that the command may add below, ten. */
const LINES_MAX = 8

/** What an import did, on at most ten lines, however much it was. `--json` has everything. */
export function importReport(report: ImportReport, look: Look): string {
  const { sessions, sessionCount, skipped, skippedCount, warnings = [] } = report
  // A warning takes the place of the first thing that was skipped.
  const skippedShown = warnings.length > 0 ? 0 : SKIPPED_SHOWN
  const total = Object.values(skippedCount).reduce((sum, count) => sum + count, 0)
  const reasons = Object.entries(skippedCount).map(([reason, count]) => `${number(count)} ${reason}`)
  const files = report.files.slice(0, FILES_SHOWN).map(({ file, format, records }) => {
    const read = format === undefined || format === null ? 'not read' : `${format}, ${counted(records, 'record')}`
    return look.paint('dim', `  from ${terminalLine(file)} (${read})`)
  })
  const above = [head(report), ...present(report), ...files, ...more(report.fileCount, files.length, 'file')]
  const below = [
    ...(total === 0 ? [] : [look.paint('yellow', `Not imported: ${reasons.join(', ')}`)]),
    ...skipped
      .slice(0, skippedShown)
      .map(({ place, reason, message }) => `  ${placeText(place)}: ${reason}: ${terminalLine(message)}`),
    ...more(total, Math.min(skipped.length, skippedShown), 'of them'),
    ...warnings.map((warning) => look.paint('yellow', terminalLine(warning))),
  ]
  // One line says how many more there are.
  const room = Math.max(1, LINES_MAX - above.length - below.length - 1)
  const conversations = sessions.slice(0, room).map(conversation)
  return [...above, ...conversations, ...more(sessionCount, conversations.length, 'conversation'), ...below].join('\n')
}

function conversation({ session, title, messages, from }: ImportReport['sessions'][number]): string {
  const name = title === undefined ? terminalLine(session) : `${terminalLine(session)}  ${terminalLine(title)}`
  return `  ${name}  ${counted(messages, 'message')}${from === undefined ? '' : `, branch of ${terminalLine(from)}`}`
}

function head({ dryRun, messages, facts, sessionCount, branchCount }: ImportReport): string {
  if (messages.new === 0 && facts.new === 0) return 'Nothing new to import'
  const branches = branchCount === 0 ? '' : ` (${number(branchCount)} ${branchCount === 1 ? 'branch' : 'branches'})`
  const imported = [
    ...(messages.new === 0
      ? []
      : [`${counted(messages.new, 'message')} in ${counted(sessionCount, 'conversation')}${branches}`]),
    ...(facts.new === 0 ? [] : [counted(facts.new, 'fact')]),
  ]
  return `${dryRun ? 'Would import' : 'Imported'} ${imported.join(' and ')}`
}

/** What was stored before, if anything was. */
function present({ messages, facts }: ImportReport): readonly string[] {
  const known = [
    ...(messages.present === 0 ? [] : [counted(messages.present, 'message')]),
    ...(facts.present === 0 ? [] : [counted(facts.present, 'fact')]),
  ]
  return [
    ...(known.length === 0 ? [] : [`Already stored: ${known.join(', ')}`]),
    ...(messages.changed === 0
      ? []
      : [`Not changed: ${counted(messages.changed, 'message')} with an id that is stored with other content`]),
  ]
}

function more(all: number, shown: number, word: string): readonly string[] {
  return all > shown && shown > 0
    ? [`  and ${number(all - shown)} more ${all - shown === 1 ? word : plural(word)}`]
    : []
}

function plural(word: string): string {
  return word === 'of them' ? word : `${word}s`
}

function placeText({ file, line, item, id }: ImportLocation): string {
  const where = line === undefined ? (item === undefined ? '' : ` item ${item}`) : ` line ${line}`
  return `${terminalLine(file)}${where}${id === undefined ? '' : ` (${terminalLine(id)})`}`
}
