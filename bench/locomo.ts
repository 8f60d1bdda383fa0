import { readFileSync } from 'node:fs'

/** LoCoMo as its authors publish it (CC BY-NC 4.0: for measuring only, never part of this repository). */
export interface Turn {
  readonly id: string
  readonly speaker: string
  readonly text: string
  readonly caption: string | undefined
  readonly session: string
  readonly at: Date
}

export interface Probe {
  readonly question: string
  readonly evidence: readonly string[]
  readonly category: number
}

export interface Conversation {
  readonly id: string
  readonly speakers: readonly [string, string]
  readonly turns: readonly Turn[]
  readonly probes: readonly Probe[]
}

interface RawTurn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface RawConversation {
  readonly sample_id: string
  readonly conversation: Readonly<Record<string, string | readonly RawTurn[]>>
  readonly qa: readonly {
    readonly question: string
    readonly evidence?: readonly string[]
    readonly category: number
  }[]
}

export function readLocomo(file: string): readonly Conversation[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as RawConversation[]).map(({ sample_id: id, conversation, qa }) => {
    const names = Object.keys(conversation).filter((name) => /^session_\d+$/.test(name))
    return {
      id,
      speakers: [String(conversation['speaker_a']), String(conversation['speaker_b'])],
      turns: names.flatMap((session) => {
        const start = readTime(String(conversation[`${session}_date_time`]))
        return (conversation[session] as readonly RawTurn[]).map((turn, index) => ({
          id: turn.dia_id,
          speaker: turn.speaker,
          text: turn.text,
          caption: turn.blip_caption,
          session,
          at: new Date(start + index * 1_000),
        }))
      }),
      probes: qa.flatMap(({ question, evidence = [], category }) => {
        // A few labels hold two turns, or none.
        const turns = evidence.flatMap((label) => label.match(/D\d+:\d+/g) ?? [])
        return turns.length === 0 ? [] : [{ question, evidence: [...new Set(turns)], category }]
      }),
    }
  })
}

/** `1:56 pm on 8 May, 2023`, taken for UTC. */
function readTime(text: string): number {
  const [, hour, minute, half, day, month, year] = /(\d+):(\d+) ([ap]m) on (\d+) (\w+), (\d+)/.exec(text) ?? []
  return Date.parse(`${day} ${month} ${year} ${hour}:${minute} ${half} UTC`)
}
