import { defined } from '../../domain/defined.ts'
import { createInterface, type Interface } from 'node:readline'
import { MemoryError } from '../../domain/error.ts'
import type { Message } from '../../domain/message.ts'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import type { Tool } from '../../api/tool.ts'
import { CommandError } from '../exit-status.ts'
import { lookOf } from '../look.ts'
import { shortened } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine, terminalJSON, visibleStream } from '../visible.ts'
import type { ChosenModel } from './choose-model.ts'
import { chatCommand } from './chat-command.ts'
import { type ChatEvent, type ChatTurn, isUnanswered, takeTurn } from './take-turn.ts'

const NOTE_CHARACTERS_MAX = 140
const RECALLED_SHOWN_MAX = 3

export interface ChatOptions {
  readonly shell: Shell
  readonly scope: Scope
  readonly session: Session
  readonly chosen: ChosenModel
  readonly mode: ChatTurn['mode']
  readonly budget: number
  /** One JSON document a turn instead of the words. */
  readonly json: boolean
  readonly tools?: readonly Tool[]
}

/** Talks until there is nothing more to read. Replies go to the output; prompts and what memory did go to the error stream. */
export async function chat(settings: ChatOptions): Promise<void> {
  const { shell, session, chosen } = settings
  const terminal = shell.stdin.isTTY === true
  const lines = createInterface({
    input: shell.stdin,
    ...(terminal ? { output: shell.stderr } : {}),
    terminal,
    prompt: lookOf(shell.stderr, shell.env).paint('green', 'you> '),
  })
  const state = interruptible(lines)
  note(settings, `${session.id} with ${chosen.name}; /help lists commands`)
  // Taken before anything is awaited, or lines that come meanwhile are lost.
  const reader = lines[Symbol.asyncIterator]()
  try {
    let unanswered = await resume(settings, state)
    for (;;) {
      if (terminal && !state.interrupted) lines.prompt()
      const { value, done } = await reader.next()
      if (done === true || state.interrupted) {
        if (unanswered !== undefined && !state.interrupted) throw unanswered
        break
      }
      const line = value.trim()
      if (line === '') continue
      if (line === '/quit' || line === '/exit') return
      if (line.startsWith('/')) shell.stderr.write(`${await chatCommand(settings, line)}\n`)
      else {
        // Whatever came before, this is said now: a message that can never be answered must not end the conversation.
        unanswered = undefined
        await answer(settings, state, line)
      }
    }
  } finally {
    lines.close()
  }
  if (state.interrupted) throw new CommandError('interrupted', 'Interrupted')
}

interface State {
  interrupted: boolean
  running: AbortController | undefined
}

/** Ctrl-C stops a reply; where none is being written, it ends the chat. */
function interruptible(lines: Interface): State {
  const state: State = { interrupted: false, running: undefined }
  lines.on('SIGINT', () => {
    if (state.running !== undefined) return state.running.abort()
    state.interrupted = true
    return lines.close()
  })
  return state
}

/** What a killed process left unanswered is answered first. Answers with why it could not be. */
async function resume(settings: ChatOptions, state: State): Promise<Error | undefined> {
  const [last]: readonly (Message | undefined)[] = await settings.session.recent(1)
  if (!isUnanswered(last)) return undefined
  note(
    settings,
    last?.role === 'user' ? 'resuming: your last message has no reply yet' : 'resuming: the last turn was interrupted',
  )
  try {
    await reply(settings, state, null)
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) throw error
    note(settings, `no reply: ${error.message}`)
    return error
  }
}

async function answer(settings: ChatOptions, state: State, said: string): Promise<void> {
  await settings.session.append({ role: 'user', content: said })
  await reply(settings, state, said)
}

async function reply(settings: ChatOptions, state: State, said: string | null): Promise<void> {
  const { shell, json, chosen, tools, ...turn } = settings
  const events: ChatEvent[] = []
  const shown = visibleStream()
  let written = ''
  state.running = new AbortController()
  try {
    await takeTurn({
      ...turn,
      model: chosen.model,
      ...defined({ tools }),
      signal: state.running.signal,
      onText: (delta) => {
        if (!json) shell.stdout.write(shown.add(delta))
        written += delta
      },
      onEvent: (event) => {
        if (!json && written !== '' && !written.endsWith('\n')) written = endLine(shell, written)
        events.push(event)
        for (const line of told(event)) note(settings, line)
      },
    })
  } catch (error) {
    if (state.running.signal.aborted)
      note(settings, 'stopped; the part of the reply that arrived is stored and marked as incomplete')
    else failed(settings, error)
  } finally {
    state.running = undefined
    if (!json) shell.stdout.write(shown.end())
    if (!json && written !== '' && !written.endsWith('\n')) endLine(shell, written)
  }
  if (json) shell.stdout.write(`${terminalJSON({ user: said, reply: written, events })}\n`)
}

/** Whoever sits there reads what failed and tries again; a pipe cannot, and must hear of it. */
function failed({ shell, chosen }: ChatOptions, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error)
  const failure = MemoryError.is(error)
    ? error
    : new CommandError('failed', `Cannot get a reply from ${chosen.name}: ${why}`)
  if (shell.stdin.isTTY !== true) throw failure
  shell.stderr.write(`${lookOf(shell.stderr, shell.env).paint('red', terminalLine(failure.message))}\n`)
}

function endLine(shell: Shell, written: string): string {
  shell.stdout.write('\n')
  return `${written}\n`
}

/** What memory did, a line each. */
function told(event: ChatEvent): readonly string[] {
  if (event.type === 'tool-start') return [`→ ${event.name} ${terminalJSON(event.input)}`]
  if (event.type === 'tool-end') return [`← ${event.name} ${event.output}`]
  const shown = event.items.slice(0, RECALLED_SHOWN_MAX).map(({ kind, text }) => `recalled a ${kind}: ${text}`)
  const more = event.items.length - shown.length
  return [...shown, ...(more === 0 ? [] : [`recalled ${more} more; /context shows what the model sees`])]
}

/** A dimmed line beside the conversation. */
export function note({ shell }: Pick<ChatOptions, 'shell'>, line: string): void {
  const { paint } = lookOf(shell.stderr, shell.env)
  shell.stderr.write(`${paint('dim', `· ${shortened(terminalLine(line), NOTE_CHARACTERS_MAX)}`)}\n`)
}
