import { textOf } from '../../domain/text-of.ts'
import type { TurnModelFunction, TurnReply, TurnRequest } from '../../api/turn.ts'
import type { Draft } from '../../domain/message.ts'
import { LONG_TERM_TAG, withoutRecalled } from '../../domain/recalled.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Trust } from '../../domain/trust.ts'

const QUOTED_CHARACTERS_MAX = 400
const RECORDS_MAX = 4
const USER_TRUST: Trust = 2
/** The lines of a block of recalled records: `Trust 2, user:`, then `#12 14:03 user "words"`. */
const TRUST_HEADING = /^Trust (\d), /
const RECORD = /^(?:#\d+ )?(?:\d\d:\d\d )?(\S+) ("(?:[^"\\]|\\.)*")/

/**
 * Replies where there is no language model: follows fixed rules and says so. It stores what it is told to remember, looks up
 * what it is asked, and quotes what was recalled, so that memory can be seen at work.
 */
export function scriptedModel(): TurnModelFunction {
  return (request) => {
    const said = reply(request)
    if (typeof said === 'string') for (const delta of said.match(/\S+\s*|\s+/g) ?? []) request.onText(delta)
    return said
  }
}

/** What to say is decided by what was said last, and by nothing else. */
function reply({ context: { messages }, tools }: TurnRequest): TurnReply {
  const last = messages.findLast((message) => message.role !== 'system' && !isRecalledOnly(message))
  const turn = messages.filter((message) => message.role === 'user' && !isRecalledOnly(message)).length
  if (last?.role === 'tool') {
    const answered = resultText(last)
    const records = answered.includes(`<${LONG_TERM_TAG}`)
      ? recordsIn(answered) || 'nothing that anybody told me'
      : answered
    return text(`My memory answered: ${quoted(records)}`)
  }
  const said = last === undefined ? '' : withoutRecalled(textOf(last)).trim()
  const has = (name: string): boolean => tools.some((tool) => tool.name === name)
  const note = /^(?:please\s+)?remember(?:\s+that)?[:,\s]+(.+)/is.exec(said)?.[1]
  if (note !== undefined && has('record_to_memory'))
    return call(turn, 'record_to_memory', { thinking: 'I was told to remember this.', content: [note.trim()] })
  if (said.endsWith('?') && has('retrieve_from_memory'))
    return call(turn, 'retrieve_from_memory', { keywords: keywords(said) })
  const recalled = recalledText(messages)
  const found =
    recalled === '' ? 'Nothing else that I remember bears on it.' : `What I remember of it: ${quoted(recalled)}`
  return text(`You said: ${quoted(said)} It is kept. ${found}`)
}

function text(words: string): string {
  return `[scripted, no language model] ${words}`
}

/** The number makes calls of different turns different, and those of a repeated turn the same. */
function call(turn: number, name: string, input: JSONObject): TurnReply {
  return { role: 'assistant', toolCalls: [{ id: `scripted-${turn}-${name}`, name, arguments: input }] }
}

/** Recalled material is no turn of its own, wherever it stands. */
function isRecalledOnly(message: Draft): boolean {
  if (message.role !== 'user') return false
  const said = textOf(message)
  return said.includes(`<${LONG_TERM_TAG}`) && withoutRecalled(said).trim() === ''
}

function recalledText(messages: readonly Draft[]): string {
  const shown = messages.findLast((message) => message.role === 'user' && textOf(message).includes(`<${LONG_TERM_TAG}`))
  return shown === undefined ? '' : recordsIn(textOf(shown))
}

/** What people said and what was learned, of a block of recalled records; a script would only quote itself otherwise. */
function recordsIn(block: string): string {
  let isOfUser = false
  const records = block.split('\n').flatMap((line) => {
    const [, trust] = TRUST_HEADING.exec(line) ?? []
    if (trust !== undefined) isOfUser = Number(trust) === USER_TRUST
    const [, speaker, said] = RECORD.exec(line) ?? []
    return isOfUser && said !== undefined ? [{ said: JSON.parse(said) as string, fact: speaker === 'fact' }] : []
  })
  const facts = records.filter(({ fact }) => fact)
  const rest = records.filter(({ fact, said }) => !fact && !said.endsWith('?'))
  return [...facts, ...rest]
    .slice(0, RECORDS_MAX)
    .map(({ said }) => said)
    .join(' · ')
}

function resultText({ parts }: Draft): string {
  return parts
    .flatMap((part) => {
      if (part.type !== 'tool-result') return []
      return [part.output.type === 'text' ? part.output.text : JSON.stringify(part.output)]
    })
    .join(' ')
}

function quoted(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return `“${line.length > QUOTED_CHARACTERS_MAX ? `${line.slice(0, QUOTED_CHARACTERS_MAX)}…` : line}”`
}

function keywords(question: string): readonly string[] {
  const words = question.match(/[\p{L}\p{N}'-]{3,}/gu) ?? []
  return words.length === 0 ? [question] : words.slice(0, 12)
}
